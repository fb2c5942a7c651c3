import { createServer } from 'node:http';
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks';
import { webhookSecret } from '../support/event.ts';

/* A program with a receiver of GitHub webhooks that stores nothing. It sends its port to its parent and exits with it. */

const webhooks = new Webhooks({ secret: webhookSecret });
webhooks.on('push', () => {});
const middleware = createNodeMiddleware(webhooks, { path: '/webhooks/quiz' });
const server = createServer((request, response) => {
  void middleware(request, response);
}).listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('disconnect', () => process.exit());
