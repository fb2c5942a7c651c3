import { App, HTTPReceiver } from '@slack/bolt';
import { signingSecret } from '../support/process-test-bed.ts';

/* A program with a bare Bolt app that only acknowledges. It sends its port to its parent and exits with it. */

const receiver = new HTTPReceiver({ signingSecret });
const app = new App({
  receiver,
  authorize: async () => ({ botToken: 'xoxb-bare', botId: 'B0BARE', botUserId: 'U0BARE' }),
});
app.command('/quiz', async ({ ack }) => {
  await ack();
});
const server = await receiver.start(0);
process.send?.(server.address());
process.on('disconnect', () => process.exit());
