import { Server } from '@hocuspocus/server';

// As it comes: documents in memory, nothing stored; it acknowledges from memory in any case.
const server = new Server({ port: 0, address: '127.0.0.1', quiet: true });
await server.listen();
process.stdout.write(`ready at ${server.address.port}\n`);
