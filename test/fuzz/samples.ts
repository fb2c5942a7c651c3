import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Outcome } from '../../src/sandbox/workspace/actor/outcome.ts';
import type { DeliveryKind, View } from '../../src/sandbox/workspace/model.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { eventBody } from '../support/event.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { manifestWith, openTestBed } from '../support/open-test-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';

/** Parsed webhooks of the quiz service: submitted quizzes and the other event types. */
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
  const service = await startQuizService({ quizzes: accountQuizzes, dataDir: ':memory:', apiKey: 'key' });
  service.setWebhook({ url, secret: 'any' });
  const quizzes = service.database.all<{ quiz_id: string }>(
    "SELECT quiz_id FROM quizzes WHERE status = 'open' LIMIT 3",
  );
  for (const { quiz_id } of quizzes) {
    const taken = once(receiver, 'taken');
    await takeQuiz(service.url, quiz_id);
    await taken;
  }
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
  const others = ['response.deleted', 'user.created', 'user.updated', 'user.deleted'].map(
    (event_type) => JSON.parse(eventBody({ event_type })) as object,
  );
  return [...bodies, JSON.parse(eventBody()) as object, ...others];
}

interface SlackSample {
  kind: DeliveryKind;
  body: Record<string, unknown>;
}

const commands = [
  '/quiz list',
  '/quiz list safety',
  '/quiz show forklift',
  '/quiz results workplace',
  '/quiz attempt onboarding of rosa almeida',
  '/quiz delete forklift --reason "Replaced"',
  '/quiz assign first aid to Rosa Almeida, @ravi, Kitchen',
  '/quiz close',
  '/quiz mine',
  '/quiz help',
  '/quiz nonsense',
  '/quiz lst',
  '/quiz results workplace failed since 7d kitchen',
  '/quiz assign first aid to <!subteam^S0KITCHEN|@kitchen-team>',
  '/quiz-user list',
  '/quiz-user show @rosa',
  '/quiz-user show al',
  '/quiz-user create nina@quiz.example',
  '/quiz-group add rosa almeida and tom lindqvist to Kitchen',
  '/quiz-group show Kitchen',
  '/quiz-admin status',
  '/quiz-admin whoami',
  '/quiz-admin approvals',
  '/quiz-admin audit',
  '/quiz-alerts list',
  '/quiz-alerts subscribe all failed digest daily 08:00',
];

/** Deliveries of the sandbox workspace: commands, shortcuts, clicks, options, submitted and closed views, and events. Their `response_url`s point to `slackUrl`. */
export async function slackSamples(slackUrl: string): Promise<SlackSample[]> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const { workspace } = await openTestBed(
    {
      workspace: { strictness: { rateLimits: false }, manifestPath: manifestWith('steps') },
      env: { WORKFLOW_STEPS_ENABLED: 'true' },
      quizService: { ratePerMinute: 1e9, ratePerHour: 1e9 },
    },
    (cleanUp) => cleanups.push(cleanUp),
  );
  const { ada } = workspace.people;
  const as = workspace.as(ada.id);
  const training = workspace.channels.training.id;
  const attempt = async (act: Promise<unknown>) => act.catch(() => undefined);

  for (const text of commands) {
    const outcome = (await attempt(as.command(text))) as Outcome | undefined;
    const view = workspace.views(ada.id).at(-1);
    if (outcome !== undefined && view !== undefined) await useForm(view);
  }
  for (const shortcut of ['create-user', 'assign-quiz', 'close-quiz', 'suspend-user']) {
    await attempt(as.shortcut(shortcut));
    const view = workspace.views(ada.id).at(-1);
    if (view !== undefined) await useForm(view);
  }
  const message = await as.say(training, 'hello');
  await attempt(as.messageShortcut('find-in-quiz', training, message.ts));
  await attempt(as.openHome());
  await attempt(as.invite('C0GENERAL'));
  const seen = [
    ...workspace.ephemerals(ada.id),
    ...workspace.messages(training),
    ...workspace.messages(workspace.channels.results.id),
  ];
  for (const { channel, ts, blocks } of seen) {
    for (const [, actionId] of JSON.stringify(blocks ?? []).matchAll(/"type":"button"[^{}]*?"action_id":"([^"]+)"/g))
      await attempt(as.click({ channel, ts }, actionId!));
    const open = workspace.views(ada.id).at(-1);
    if (open !== undefined) await useForm(open);
  }
  const choose = async (step: string, input: string) =>
    (await workspace.functions.options(ada.id, step, input))[0]?.value ?? '';
  const stepInputs = {
    quiz: await choose('assign_quiz', 'quiz'),
    person: workspace.people.rosa.id,
  };
  await choose('assign_quiz', 'group');
  for (const step of ['assign_quiz', 'start_campaign', 'wait_for_result', 'get_result'])
    await attempt(workspace.functions.run(step, { ...stepInputs, acts_as: await choose(step, 'acts_as') }));
  await attempt(
    workspace.functions.run('create_user', {
      acts_as: await choose('create_user', 'acts_as'),
      person: workspace.people.zoe.id,
      welcome: true,
    }),
  );
  const samples = workspace.deliveries.map(({ kind, body }) => ({
    kind,
    body: JSON.parse(JSON.stringify(body).replaceAll(new URL(workspace.url).origin, slackUrl)) as Record<
      string,
      unknown
    >,
  }));
  for (const cleanUp of cleanups.toReversed()) await cleanUp();
  return samples;

  async function useForm(view: View): Promise<void> {
    const pickers = [...JSON.stringify(view).matchAll(/"block_id":"([^"]+)"/g)].map(([, block]) => block!);
    for (const block of pickers) await attempt(as.options(view, { block }, 'a'));
    await attempt(as.submit(view));
    const openView = workspace.views(ada.id).at(-1);
    if (openView !== undefined) await attempt(as.close(openView, { all: true }));
  }
}
