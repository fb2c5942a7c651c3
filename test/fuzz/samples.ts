import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Outcome } from '../../src/sandbox/workspace/actor/outcome.ts';
import type { DeliveryKind, View } from '../../src/sandbox/workspace/model.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { eventBody } from '../support/event.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { openTestBed } from '../support/open-test-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';

/** Bodies of webhooks as the quiz service sends them, parsed: quizzes that were taken, and the other types of events. */
export async function webhookSamples(): Promise<object[]> {
  const bodies: object[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      bodies.push(JSON.parse(text) as object);
      response.end();
      receiver.emit('taken');
    });
  });
  const url = await listenOnLoopback(receiver);
  const service = await startQuizService({ dataDir: ':memory:', apiKey: 'key' });
  service.setWebhook({ url, secret: 'any' });
  const quizzes = service.database.all<{ quiz_id: string }>("SELECT quiz_id FROM quizzes WHERE status = 'open' LIMIT 3");
  for (const { quiz_id } of quizzes) {
    const taken = once(receiver, 'taken');
    await takeQuiz(service.url, quiz_id);
    await taken;
  }
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
  const others = ['response.deleted', 'user.created', 'user.updated', 'user.deleted'].map((event_type) => JSON.parse(eventBody({ event_type })) as object);
  return [...bodies, JSON.parse(eventBody()) as object, ...others];
}

export interface SlackSample {
  kind: DeliveryKind;
  body: Record<string, unknown>;
}

const commands = [
  '/quiz list', '/quiz list safety', '/quiz show forklift', '/quiz results workplace', '/quiz attempt onboarding of rosa almeida', '/quiz delete forklift --reason "Replaced"',
  '/quiz assign first aid to Rosa Almeida, @ravi, Kitchen', '/quiz close', '/quiz mine', '/quiz help', '/quiz nonsense', '/quiz-user list', '/quiz-user show @rosa', '/quiz-user show al',
  '/quiz-user create nina@quiz.example', '/quiz-group show Kitchen', '/quiz-admin status', '/quiz-admin whoami', '/quiz-admin approvals', '/quiz-admin audit', '/quiz-alerts list', '/quiz-alerts subscribe all failed digest daily 08:00',
];

/** What Slack sends the bot: commands, shortcuts, clicks, pickers, forms, closed ones, and events, as the sandbox's workspace does. Their response_urls are put on another Slack. */
export async function slackSamples(slackUrl: string): Promise<SlackSample[]> {
  const takeDown: (() => void | Promise<void>)[] = [];
  const { workspace } = await openTestBed({ workspace: { strictness: { rateLimits: false } }, quizService: { ratePerMinute: 1e9, ratePerHour: 1e9 } }, (down) => takeDown.push(down));
  const { ada } = workspace.people;
  const as = workspace.as(ada.id);
  const training = workspace.channels.training.id;
  const tried = async (act: Promise<unknown>) => act.catch(() => undefined);

  for (const text of commands) {
    const outcome = (await tried(as.command(text))) as Outcome | undefined;
    const view = workspace.views(ada.id).at(-1);
    if (outcome !== undefined && view !== undefined) await useForm(view);
  }
  for (const shortcut of ['create-user', 'assign-quiz', 'close-quiz', 'suspend-user']) {
    await tried(as.shortcut(shortcut));
    const view = workspace.views(ada.id).at(-1);
    if (view !== undefined) await useForm(view);
  }
  const message = await as.say(training, 'hello');
  await tried(as.messageShortcut('find-in-quiz', training, message.ts));
  await tried(as.openHome());
  await tried(as.invite('C0GENERAL'));
  const seen = [...workspace.ephemerals(ada.id), ...workspace.messages(training), ...workspace.messages(workspace.channels.results.id)];
  for (const { channel, ts, blocks } of seen) {
    for (const [, actionId] of JSON.stringify(blocks ?? []).matchAll(/"type":"button"[^{}]*?"action_id":"([^"]+)"/g)) await tried(as.click({ channel, ts }, actionId!));
    const open = workspace.views(ada.id).at(-1);
    if (open !== undefined) await useForm(open);
  }
  const samples = workspace.deliveries.map(({ kind, body }) => ({ kind, body: JSON.parse(JSON.stringify(body).replaceAll(new URL(workspace.url).origin, slackUrl)) as Record<string, unknown> }));
  for (const down of takeDown.toReversed()) await down();
  return samples;

  async function useForm(view: View): Promise<void> {
    const pickers = [...JSON.stringify(view).matchAll(/"block_id":"([^"]+)"/g)].map(([, block]) => block!);
    for (const block of pickers) await tried(as.options(view, { block }, 'a'));
    await tried(as.submit(view));
    const left = workspace.views(ada.id).at(-1);
    if (left !== undefined) await tried(as.close(left, { all: true }));
  }
}
