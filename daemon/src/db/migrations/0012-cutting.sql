-- How the values here were cut into chunks: without regard to Markdown's headings so far. The program cuts them anew in the background
-- (features/search/recutting.ts); an older one would look for the texts of the chunks where they are not.
INSERT INTO meta (name, value) VALUES ('cutting', '1');
