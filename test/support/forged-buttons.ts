import { botToken } from './open-test-bed.ts';
import { textOf, type TestBed } from './test-bed.ts';

/** A button runs an operation with an input, or has an action ID and a value of its own. */
type Forged = readonly [personId: string, operation: string, input: Record<string, string[]> | string];

/** Presses buttons that the bot never made, in a channel that everybody is in. @returns what people read */
export async function pressAll(
  { workspace }: Pick<TestBed, 'workspace'>,
  forged: readonly Forged[],
): Promise<string[]> {
  const { location, actionIds } = await postButtons({ workspace }, forged);
  const answers: string[] = [];
  for (const [at, [personId]] of forged.entries())
    answers.push(textOf(await (await workspace.as(personId).click(location, actionIds[at] ?? '')).reply()));
  return answers;
}

/** Posts such buttons in the name of the bot. */
export async function postButtons({ workspace }: Pick<TestBed, 'workspace'>, forged: readonly Forged[]) {
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
    body: JSON.stringify({
      channel,
      text: 'Forged',
      blocks: elements.map((element) => ({ type: 'actions', elements: [element] })),
    }),
  });
  const { ts } = (await posted.json()) as { ts: string };
  return { location: { channel, ts }, actionIds };
}
