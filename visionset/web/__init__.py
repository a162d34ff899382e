"""The page: a table that everybody at it can use, with a camera or without."""
