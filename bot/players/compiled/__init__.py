"""The best AI player, compiled by numba. Only the process that thinks imports these modules."""
