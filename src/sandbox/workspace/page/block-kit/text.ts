import { html, type TemplateResult } from 'lit-html';
import type { AnyText } from '../../block-kit/elements.ts';
import { hrefFor, type RenderContext } from '../ui.ts';
import { formatDate, emojiFor, type Inline, type Paragraph, parseMrkdwn, withEmoji } from '../text/mrkdwn.ts';

export function anyText(context: RenderContext, text: AnyText): TemplateResult {
  return text.type === 'plain_text'
    ? html`<span class="plain">${withEmoji(text.text)}</span>`
    : mrkdwn(context, text.text, text.verbatim);
}

export function mrkdwn(context: RenderContext, text: string, isVerbatim = false): TemplateResult {
  return html`<div class="mrkdwn">${parseMrkdwn(text, isVerbatim).map((paragraph) => paragraphView(context, paragraph))}</div>`;
}

function paragraphView(context: RenderContext, paragraph: Paragraph): TemplateResult {
  if (paragraph.kind === 'preformatted') return html`<pre tabindex="0">${paragraph.text}</pre>`;
  const lines = paragraph.lines.map((line, index) => html`${index === 0 ? '' : html`<br />`}${inlines(context, line)}`);
  return paragraph.kind === 'quote' ? html`<blockquote>${lines}</blockquote>` : html`<p>${lines}</p>`;
}

const inlines = (context: RenderContext, all: readonly Inline[]): TemplateResult[] =>
  all.map((inline) => inlineView(context, inline));

function inlineView(context: RenderContext, inline: Inline): TemplateResult {
  switch (inline.kind) {
    case 'text':
      return html`${inline.text}`;
    case 'bold':
      return html`<strong>${inlines(context, inline.children)}</strong>`;
    case 'italic':
      return html`<em>${inlines(context, inline.children)}</em>`;
    case 'strike':
      return html`<s>${inlines(context, inline.children)}</s>`;
    case 'code':
      return html`<code>${inline.text}</code>`;
    case 'link':
      return link(hrefFor(context, inline.url), html`${withEmoji(inline.text)}`);
    case 'user':
      return userMention(context, inline.id);
    case 'channel':
      return channelMention(context, inline.id, inline.name);
    case 'userGroup':
      return userGroupMention(context, inline.id, inline.name);
    case 'broadcast':
      return html`<span class="mention mention-all">@${inline.range}</span>`;
    case 'date':
      return dateView(context, inline);
    default:
      return html`${emojiFor(inline.name)}`;
  }
}

/** Renders a link for http, https and mailto URLs, and the bare label for all others. */
function link(url: string, label: TemplateResult): TemplateResult {
  return /^(https?:|mailto:)/i.test(url)
    ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>`
    : label;
}

function userMention(context: RenderContext, id: string): TemplateResult {
  const person = context.server.people.find((candidate) => candidate.id === id);
  return html`<span class="mention" ?data-me=${id === context.server.me.id}>@${person?.realName ?? id}</span>`;
}

function channelMention(context: RenderContext, id: string, name?: string): TemplateResult {
  const channel = context.server.channels.find((candidate) => candidate.id === id);
  if (channel === undefined) return html`<span class="mention">#${name ?? id}</span>`;
  return html`<button
    type="button"
    class="mention"
    @click=${() => context.actions.goTo({ kind: 'channel', id })}
  >
    #${channel.name}
  </button>`;
}

/** @param label the handle with @, which messages of older clients carry */
function userGroupMention(context: RenderContext, id: string, label = id): TemplateResult {
  const group = context.server.userGroups.find((candidate) => candidate.id === id);
  return html`<span class="mention" ?data-me=${group?.members.includes(context.server.me.id) === true}
    >${group === undefined ? label : `@${group.handle}`}</span
  >`;
}

interface DateParts {
  seconds: number;
  format: string;
  fallback: string;
  url?: string | undefined;
}

function dateView(context: RenderContext, date: DateParts): TemplateResult {
  const shown = html`<time datetime=${new Date(date.seconds * 1000).toISOString()} title=${date.fallback}
    >${formatDate(date.seconds, date.format, context.now, context.server.me)}</time
  >`;
  return date.url === undefined ? shown : link(date.url, shown);
}
