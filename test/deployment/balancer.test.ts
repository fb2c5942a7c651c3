import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startBalancer } from '../support/balancer.ts';
import { haproxyMissing, startHaproxy } from '../support/haproxy.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/** An instance that passes its checks. @param status of its answers to everything else */
async function startInstance(status: number) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/healthz') return void response.end();
    void text(request).then((body) => {
      bodies.push(body);
      return response.writeHead(status).end();
    });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await listenOnLoopback(server), bodies };
}

const balancers = [
  ['deploy/haproxy.cfg', haproxyMissing, startHaproxy],
  ['the balancer of other tests', null, startBalancer],
] as const;

for (const [name, missing, start] of balancers) {
  const send = async (status: number) => {
    const [starting, running] = [await startInstance(503), await startInstance(status)];
    const balancer = await start([starting.url, running.url]);
    onTestFinished(balancer.close);
    const sent = Array.from({ length: 40 }, (_, number) => `${number} ${'x'.repeat(number * 1_000)}`);
    const post = async (body: string) => fetch(`${balancer.url}/webhooks/quiz`, { method: 'POST', body });
    const statuses = await Promise.all(sent.map(async (body) => (await post(body)).status));
    return { statuses: new Set(statuses), sent, taken: running.bodies, refused: starting.bodies };
  };

  test.skipIf(missing !== null)(`${name} sends to another instance, once, what one did not take`, async () => {
    const { statuses, sent, taken, refused } = await send(200);
    expect(refused).not.toEqual([]);
    expect(statuses).toEqual(new Set([200]));
    expect(taken.toSorted()).toEqual(sent.toSorted());
  });

  test.skipIf(missing !== null)(`${name} says so where no instance takes it`, async () => {
    expect((await send(503)).statuses).toEqual(new Set([503]));
  });
}
