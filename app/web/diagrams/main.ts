import { answer } from './answer.ts';

// Who made the frame hands in a port; nobody else is listened to.
window.addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== window.parent || !port) return;
  port.addEventListener('message', ({ data }) => {
    void answer(String(data)).then((reply) => port.postMessage(reply));
  });
  port.start();
});
