import type { Channel, Person } from '../model.ts';

const parts =
  /(?<token><[@#][A-Z0-9]+(?:\|[^<>]*)?>)|(?<url>https?:\/\/[^\s<>]+)|(?<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?<![\w@])@(?<handle>[a-z0-9._-]*[a-z0-9])|(?<![\w#])#(?<channel>[a-z0-9_-]+)/gi;

export interface Known {
  people: Iterable<Person>;
  channels: Iterable<Channel>;
}

/** `&`, `<` and `>` as Slack sends them in every text. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * What somebody typed as Slack sends it: people, channels, addresses and links between angle brackets, the rest
 * escaped. For a command only with `should_escape`; https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export function resolveText(typed: string, known: Known): string {
  const people = new Map([...known.people].map((person) => [person.name, person]));
  const channels = new Map(
    [...known.channels].filter((channel) => channel.kind !== 'im').map((channel) => [channel.name, channel]),
  );
  let resolved = '';
  let from = 0;
  for (const match of typed.matchAll(parts)) {
    const token = tokenFor(match.groups ?? {}, people, channels);
    if (token === undefined) continue;
    resolved += escapeText(typed.slice(from, match.index)) + token;
    from = match.index + match[0].length;
  }
  return resolved + escapeText(typed.slice(from));
}

function tokenFor(
  groups: Record<string, string | undefined>,
  people: Map<string, Person>,
  channels: Map<string, Channel>,
): string | undefined {
  // The other parts are read in any case; an id is in capitals.
  if (groups['token'] !== undefined) return /^<[@#][A-Z0-9]+[|>]/.test(groups['token']) ? groups['token'] : undefined;
  if (groups['url'] !== undefined) return `<${escapeText(groups['url'])}>`;
  if (groups['email'] !== undefined) return `<mailto:${groups['email']}|${groups['email']}>`;
  const person = people.get(groups['handle']?.toLowerCase() ?? '');
  if (person !== undefined) return `<@${person.id}|${person.name}>`;
  const channel = channels.get(groups['channel']?.toLowerCase() ?? '');
  return channel === undefined ? undefined : `<#${channel.id}|${channel.name}>`;
}
