"""SET Cubed (rules D5 to D12)."""
