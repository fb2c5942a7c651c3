import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';

/** What nobody sees of a message, a view or an acknowledgement. */
const hidden: ReadonlySet<string> = new Set([
  'action_id',
  'block_id',
  'callback_id',
  'channel',
  'external_id',
  'initial_value',
  'metadata',
  'private_metadata',
  'type',
  'url',
  'value',
]);

/** Every text that the bot sent to Slack and that somebody may see: messages, views, options, acknowledgements, endings of steps. */
export function sentTexts({ calls, deliveries }: Pick<Workspace, 'calls' | 'deliveries'>): string[] {
  return [...calls.map(({ args }) => args), ...deliveries.map(({ answer }) => answer)].flatMap((sent) => textsIn(sent));
}

function textsIn(sent: unknown, key = ''): string[] {
  if (hidden.has(key)) return [];
  if (typeof sent === 'string') return partsOf(sent)?.flatMap((part) => textsIn(part, key)) ?? [sent];
  if (Array.isArray(sent)) return sent.flatMap((part) => textsIn(part, key));
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries(sent).flatMap(([name, part]) => textsIn(part, name));
}

/** The Web API takes lists and objects as JSON. Undefined for other texts. */
function partsOf(text: string): unknown[] | undefined {
  try {
    const value: unknown = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
    return value === undefined ? undefined : [value];
  } catch {
    return undefined;
  }
}
