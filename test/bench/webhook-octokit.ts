import { createServer } from 'node:http';
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks';
import { webhookSecret } from '../support/event.ts';

/* A receiver of GitHub's webhooks that keeps nothing. Tells its parent the port, and ends with it. */

const webhooks = new Webhooks({ secret: webhookSecret });
webhooks.on('push', () => {});
const middleware = createNodeMiddleware(webhooks, { path: '/webhooks/quiz' });
const server = createServer((request, response) => {
  void middleware(request, response);
}).listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('disconnect', () => process.exit());
