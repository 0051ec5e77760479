"""Building blocks of Discord messages: custom ids, forms, replies, uploaded files."""
