"""The engine against its rules, a slow oracle and whole random matches."""
