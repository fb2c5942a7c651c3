import { shortName } from '../../domain/short-name.ts';
import type { WebClient } from '@slack/web-api';
import { PlatformError } from '../../domain/errors.ts';
import { callSlack } from '../errors.ts';
import type { AuditNames } from '../../governance/audit/announcement-of.ts';

/** A name is looked up once in this time. */
const namesForMs = 3_600_000;
const namesAtMost = 5_000;

const left = 'Someone who has left';
const unknown = 'Someone';
const privateChannel = 'a private channel';

/** Names the channel that a change is about: “this channel” would be the one that the entry is posted in. */
function withChannel(change: string, name: string | undefined): string {
  if (name === undefined || change.includes(name)) return change;
  const named = change.replace(/\bth(?:is|e) channel\b/, name);
  return named === change ? `${change} in ${name}` : named;
}

/** What Slack does not tell has words instead: a post never waits for a name, and never shows an id. */
export function createAuditNames({ client, now }: { client: WebClient; now: () => number }): AuditNames {
  const known = new Map<string, { name: Promise<string>; until: number }>();

  /** @param lookUp never rejects */
  async function cached(id: string, lookUp: (id: string) => Promise<string>): Promise<string> {
    const found = known.get(id);
    if (found !== undefined && found.until > now()) return found.name;
    const name = lookUp(id);
    if (known.size >= namesAtMost) known.clear();
    known.set(id, { name, until: now() + namesForMs });
    return name;
  }

  async function lookUpPerson(personId: string): Promise<string> {
    try {
      const { user } = await callSlack(async () => client.users.info({ user: personId }));
      return shortName(user?.profile?.real_name || user?.real_name || user?.profile?.display_name || '') || unknown;
    } catch (error) {
      // https://docs.slack.dev/reference/methods/users.info#errors
      return error instanceof PlatformError && error.code === 'user_not_found' ? left : unknown;
    }
  }

  async function lookUpChannel(channelId: string): Promise<string> {
    try {
      const { channel } = await callSlack(async () => client.conversations.info({ channel: channelId }));
      return channel?.name ? `#${shortName(channel.name)}` : privateChannel;
    } catch {
      return privateChannel;
    }
  }

  const ofPerson = (personId: string) => cached(personId, lookUpPerson);
  const ofChannel = (channelId: string) => cached(channelId, lookUpChannel);

  /** Replaces mentions, and channels as `operations/fields/channel.ts` names them where it knows no name. */
  async function inText(text: string): Promise<string> {
    let named = '';
    let end = 0;
    for (const match of text.matchAll(
      /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>|(?:<#|\bchannel )([CGD][A-Z0-9]{6,})(?:(?:\|[^>]*)?>)?/g,
    )) {
      const [whole, personId, channelId = ''] = match;
      named +=
        text.slice(end, match.index) + (personId === undefined ? await ofChannel(channelId) : await ofPerson(personId));
      end = match.index + whole.length;
    }
    return named + text.slice(end);
  }

  return {
    ofPerson,
    async ofEntry(entry) {
      const { by, approvedBy, change, message, targets, details } = entry;
      const channel = targets?.find(({ kind }) => kind === 'channel');
      return {
        who:
          by !== undefined
            ? await ofPerson(by)
            : approvedBy === undefined
              ? 'The bot'
              : `The bot, by a rule that ${await ofPerson(approvedBy)} approved,`,
        entry: {
          ...entry,
          ...(change !== undefined && {
            change: withChannel(await inText(change), channel && (await ofChannel(channel.id))),
          }),
          ...(message !== undefined && { message: await inText(message) }),
          ...(targets && {
            targets: await Promise.all(targets.map(async (target) => ({ ...target, name: await inText(target.name) }))),
          }),
          ...(details && {
            details: await Promise.all(
              details.map(async (detail) => ({ ...detail, value: await inText(detail.value) })),
            ),
          }),
        },
      };
    },
  };
}
