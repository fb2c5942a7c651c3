import { eventBody, sign } from '../support/event.ts';
import { textOf, type TestBed } from '../support/open-test-bed.ts';

/** What people see of a fault, as short texts. */
export interface Visibility {
  command: string;
  form: string;
  webhook: string;
  alert: string;
  readyz: string;
}

/** Whoever reads nothing for so long, reads nothing. */
const timeoutMs = 8_000;

/** The last name of whoever took the quiz: told apart in what the channel reads. */
const respondent = 'Faulted';

/** Acts as Ada does while a fault lasts, and as the quiz service does. */
export async function look(testBed: TestBed, forMs = timeoutMs): Promise<Omit<Visibility, 'alert'>> {
  const webhook = await sendWebhook(testBed);
  const command = await typeCommand(testBed, '/quiz show forklift', forMs);
  const form = await fillForm(testBed, forMs);
  return { command, form, webhook, readyz: await readReadyz(testBed) };
}

export async function sendWebhook({ url }: Pick<TestBed, 'url'>, overrides: Record<string, unknown> = {}): Promise<string> {
  const body = eventBody({ event_id: 'e-of-the-fault', ...overrides }, { response_id: 'r-of-the-fault', last_name: respondent });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = { 'x-webhook-signature': sign(`${timestamp}.${body}`), 'x-webhook-timestamp': timestamp };
  const answer = await fetch(`${url}/webhooks/quiz`, { method: 'POST', body, headers });
  return `${answer.status} ${(await answer.text()).trim()}`;
}

export async function readReadyz({ url }: Pick<TestBed, 'url'>): Promise<string> {
  const answer = await fetch(`${url}/readyz`);
  return `${answer.status} ${(await answer.text()).trim()}`;
}

/** @returns what Ada reads, be it of the bot or of Slack */
export async function typeCommand({ workspace }: Pick<TestBed, 'workspace'>, text: string, forMs = timeoutMs): Promise<string> {
  const outcome = await workspace.as(workspace.people.ada.id).command(text, { channel: workspace.channels.training.id });
  if (outcome.error !== undefined) return `Slack: ${outcome.error}`;
  return orNothing(outcome.reply(forMs).then(wordsOf));
}

export const quizOfTheForm = 'Quiz of the fault';

/** Opens the form that creates a quiz, and submits it. @returns what Ada reads in it, or instead of it */
async function fillForm({ workspace }: Pick<TestBed, 'workspace'>, forMs = timeoutMs): Promise<string> {
  const { ada } = workspace.people;
  const views = () => workspace.views(ada.id);
  const opening = await workspace.as(ada.id).command('/quiz create', { channel: workspace.channels.training.id });
  if (opening.error !== undefined) return `Slack: ${opening.error}`;
  const instead = opening.reply(forMs).then(wordsOf, () => undefined);
  const isForm = () => views().at(-1)?.blocks.some(({ type }) => type === 'input');
  const opened = await Promise.race([instead, orNothing(workspace.until(() => (isForm() ? 'a form' : finished()), forMs))]);
  if (opened !== 'a form') return opened ?? 'nothing';
  const submission = await workspace.as(ada.id).submit(views().at(-1)!, { name: quizOfTheForm });
  if (submission.failed !== undefined) return `in the form: ${submission.failed}`;
  if (submission.errors !== undefined) return `in the form: ${Object.values(submission.errors).join(' ')}`;
  return orNothing(workspace.until(finished, forMs));

  function finished(): string | undefined {
    const words = views().map(wordsOf).at(-1);
    return words === undefined || words === '' || /moment|Working|⏳/i.test(words) ? undefined : words;
  }
}

function orNothing(words: Promise<string>): Promise<string> {
  return words.catch(() => 'nothing');
}

/** The words somebody reads, without what Slack renders from it. */
function wordsOf(shown: { text?: string; blocks?: unknown }): string {
  const blocks = ((shown.blocks ?? []) as { type?: string }[]).filter(({ type }) => type !== 'input');
  const texts = [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text}"`) as string);
  return (texts.length > 0 ? texts.join(' ') : (shown.text ?? '')).trim();
}

/** What differs from run to run is left out. */
export function steady(words: string): string {
  return words
    .replaceAll(/reference [0-9a-f]{8}/g, 'reference …')
    .replaceAll(/\d+ (seconds|minutes)/g, 'some $1')
    .replaceAll(/<!date[^>]*>/g, 'a date')
    .replaceAll(/127\.0\.0\.1:\d+/g, '…')
    .replaceAll(/\s+/g, ' ');
}

/** How often the channel has heard of who took the quiz. */
export function timesTold({ workspace }: Pick<TestBed, 'workspace'>): number {
  return workspace.messages(workspace.channels.results.id).filter((message) => textOf(message).includes(respondent)).length;
}
