"""The referee follows a game on a real table: changes and what people say become events, events become words and outlines."""
