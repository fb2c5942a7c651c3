import { botToken } from './open-test-bed.ts';
import { textOf, type TestBed } from './test-bed.ts';

/** A button runs an operation with an input, or has an action ID and a value of its own. */
type Forged = readonly [personId: string, operation: string, input: Record<string, string[]> | string];

/** Presses buttons that the bot never made, in a channel that everybody is in. @returns what people read */
export async function pressAll(
  { workspace }: Pick<TestBed, 'workspace'>,
  forged: readonly Forged[],
): Promise<string[]> {
  const channel = workspace.channels.training.id;
  const actionIds = forged.map(([, operation, raw], at) => (typeof raw === 'string' ? operation : `ask:${at}`));
  const elements = forged.map(([, operation, raw], at) => ({
    type: 'button',
    action_id: actionIds[at],
    text: { type: 'plain_text', text: 'Start' },
    value: typeof raw === 'string' ? raw : JSON.stringify({ operation, raw }),
  }));
  const headers = { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' };
  const posted = await fetch(`${workspace.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ channel, text: 'Forged', blocks: [{ type: 'actions', elements }] }),
  });
  const { ts } = (await posted.json()) as { ts: string };
  const answers: string[] = [];
  for (const [at, [personId]] of forged.entries())
    answers.push(textOf(await (await workspace.as(personId).click({ channel, ts }, actionIds[at] ?? '')).reply()));
  return answers;
}
