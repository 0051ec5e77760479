"""Building blocks of Discord messages: components, custom ids, forms, replies, files."""
