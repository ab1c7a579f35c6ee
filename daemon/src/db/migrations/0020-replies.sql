-- The message that one answers; it may be dropped already.
ALTER TABLE inbox_messages ADD COLUMN in_reply_to TEXT;
