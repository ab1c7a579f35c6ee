// A thread whose parsers are not there.
throw new Error('the parsers cannot be loaded');
