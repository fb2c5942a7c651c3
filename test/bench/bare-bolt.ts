import { App, HTTPReceiver } from '@slack/bolt';

/*
 * A program with a bare Bolt app, as the documentation of Bolt shows it, which acknowledges `/quiz` and, if told so, answers a
 * fixed text. `process.argv` has `acks` or `answers`, its signing secret, and the address of Slack with its token; without these
 * two it asks Slack nothing at its start. It sends its port to its parent, with its resident memory whenever it gets a message,
 * and exits with it. It loads nothing but Bolt: its memory is compared.
 */

const [way, signingSecret = '', slackApiUrl, token = 'xoxb-bare'] = process.argv.slice(2);
const receiver = new HTTPReceiver({ signingSecret });
const app = new App({
  receiver,
  ...(slackApiUrl === undefined
    ? { authorize: async () => ({ botToken: token, botId: 'B0BARE', botUserId: 'U0BARE' }) }
    : { token, clientOptions: { slackApiUrl } }),
});
app.command('/quiz', async ({ ack, respond }) => {
  await ack();
  if (way === 'answers') await respond('Fire safety is open.');
});
const server = await receiver.start(0);
process.send?.(server.address());
process.on('message', () => process.send?.({ memoryMB: process.memoryUsage.rss() / 1e6 }));
process.on('disconnect', () => process.exit());
