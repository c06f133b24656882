"""What runs at the table: the server, who may come in, who is told, what may be installed."""
