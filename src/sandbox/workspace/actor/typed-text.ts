import type { Channel, Person, UserGroup } from '../model.ts';
import type { State } from '../state.ts';

const parts =
  /(?<token><(?:[@#]|!subteam\^)[A-Z0-9]+(?:\|[^<>]*)?>)|(?<url>https?:\/\/[^\s<>]+)|(?<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?<![\w@])@(?<handle>[a-z0-9._-]*[a-z0-9])|(?<![\w#])#(?<channel>[a-z0-9_-]+)/gi;

interface Directory {
  people: Iterable<Person>;
  channels: Iterable<Channel>;
  userGroups: Iterable<UserGroup>;
}

export const directoryOf = ({ people, channels, userGroups }: State): Directory => ({
  people: people.values(),
  channels: channels.values(),
  userGroups: userGroups.values(),
});

/** Escapes `&`, `<` and `>`, as Slack does in every text it sends. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Converts typed text to the form that Slack sends: mentions of people, user groups and channels, links and e-mail addresses in angle brackets, the rest
 * escaped. Commands need `should_escape` for it: https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export function resolveText(typed: string, directory: Directory): string {
  const people = new Map([...directory.people].map((person) => [person.name, person]));
  const channels = new Map(
    [...directory.channels].filter((channel) => channel.kind !== 'im').map((channel) => [channel.name, channel]),
  );
  const groups = new Map(
    [...directory.userGroups].filter((group) => group.isDisabled !== true).map((group) => [group.handle, group]),
  );
  let resolved = '';
  let from = 0;
  for (const match of typed.matchAll(parts)) {
    const token = tokenFor(match.groups ?? {}, people, channels, groups);
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
  userGroups: Map<string, UserGroup>,
): string | undefined {
  // The pattern ignores case, but an id has capital letters only.
  if (groups['token'] !== undefined)
    return /^<(?:[@#]|!subteam\^)[A-Z0-9]+[|>]/.test(groups['token']) ? groups['token'] : undefined;
  if (groups['url'] !== undefined) return `<${escapeText(groups['url'])}>`;
  if (groups['email'] !== undefined) return `<mailto:${groups['email']}|${groups['email']}>`;
  const handle = groups['handle']?.toLowerCase() ?? '';
  const person = people.get(handle);
  if (person !== undefined) return `<@${person.id}|${person.name}>`;
  const group = userGroups.get(handle);
  if (group !== undefined) return `<!subteam^${group.id}|@${group.handle}>`;
  const channel = channels.get(groups['channel']?.toLowerCase() ?? '');
  return channel === undefined ? undefined : `<#${channel.id}|${channel.name}>`;
}
