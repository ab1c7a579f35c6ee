-- The authorities (PEM) that the certificate of the relay may come from, beside those of this machine.
ALTER TABLE sync_links ADD COLUMN ca TEXT;
