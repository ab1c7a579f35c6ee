// Its types leave out the half that reads; it is imported for what it does when it is loaded.
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';
