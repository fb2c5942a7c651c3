import { shortName } from '../../domain/said.ts';
import type { WebClient } from '@slack/web-api';
import { callSlack } from '../errors.ts';
import type { People } from '../people/people.ts';
import { createRecent } from '../../time/timers.ts';
import type { AuditNames } from '../../governance/audit/next-post.ts';

/** The name of a channel is looked up once in this time. */
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
export function createAuditNames({
  client,
  people,
  now,
}: {
  client: WebClient;
  people: Pick<People, 'of'>;
  now: () => number;
}): AuditNames {
  const channels = createRecent<string>({ forMs: namesForMs, atMost: namesAtMost, now });

  async function ofPerson(personId: string): Promise<string> {
    try {
      const { name = '', isUnknown } = await people.of(personId);
      return isUnknown === 'gone' ? left : shortName(name) || unknown;
    } catch {
      return unknown;
    }
  }

  async function ofChannel(id: string): Promise<string> {
    return channels.of(id, async () => {
      try {
        const { channel } = await callSlack(async () => client.conversations.info({ channel: id }));
        return channel?.name ? `#${shortName(channel.name)}` : privateChannel;
      } catch {
        return privateChannel;
      }
    });
  }

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
