import { withoutIsolates } from '../domain/direction.ts';
import { formatMention } from '../operations/typed-text.ts';

/**
 * What a person typed, without Slack's markup: mentions as the core reads them, links as they were typed. A name that was
 * copied from a message loses its isolates.
 * Slack escapes `&`, `<` and `>`: https://docs.slack.dev/messaging/formatting-message-text
 */
export function readMarkup(text: string): string {
  return readMentions(withoutIsolates(text))
    .replaceAll(
      /<((?:https?|mailto):[^<>|]*)(?:\|([^<>]*))?>/g,
      (_, address: string, label?: string) => label ?? address,
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** `<@U123|rosa>`, `<#C123|training>` and `<!subteam^S123|@kitchen-team>` as the core reads them. */
export function readMentions(text: string): string {
  return text
    .replaceAll('><', '> <')
    .replaceAll(/<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>/g, (_, id: string, name?: string) =>
      formatMention({ kind: 'person', id, name }),
    )
    .replaceAll(/<!subteam\^(S[A-Z0-9]+)(?:\|@?([^<>]*))?>/g, (_, id: string, name?: string) =>
      formatMention({ kind: 'usergroup', id, name }),
    )
    .replaceAll(/<#([CG][A-Z0-9]+)(?:\|([^<>]*))?>/g, (_, id: string, name?: string) =>
      formatMention({ kind: 'channel', id, name }),
    );
}

/**
 * The channel a person is in; undefined in a direct message, whose id begins with D, and in one of several people, whose name
 * begins with mpdm-. The bot is in hardly any of the latter: Slack adds people and apps to one only by making another.
 */
export function channelOf(conversationId: string | undefined, name?: string): string | undefined {
  return conversationId?.startsWith('D') || name?.startsWith('mpdm-') ? undefined : conversationId;
}
