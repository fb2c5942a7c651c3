import { type TemplateResult, html } from 'lit-html';
import type { AnyText } from '../../block-kit/text.ts';
import type { Scene } from '../scene.ts';
import { formatDate } from '../text/dates.ts';
import { emojiFor, withEmoji } from '../text/emoji.ts';
import { type Inline, type Paragraph, parseMrkdwn } from '../text/mrkdwn.ts';

export function anyText(scene: Scene, text: AnyText): TemplateResult {
  return text.type === 'plain_text'
    ? html`<span class="plain">${withEmoji(text.text)}</span>`
    : mrkdwn(scene, text.text, text.verbatim);
}

export function mrkdwn(scene: Scene, text: string, isVerbatim = false): TemplateResult {
  return html`<div class="mrkdwn">${parseMrkdwn(text, isVerbatim).map((paragraph) => paragraphView(scene, paragraph))}</div>`;
}

function paragraphView(scene: Scene, paragraph: Paragraph): TemplateResult {
  if (paragraph.kind === 'preformatted') return html`<pre tabindex="0">${paragraph.text}</pre>`;
  const lines = paragraph.lines.map((line, index) => html`${index === 0 ? '' : html`<br />`}${inlines(scene, line)}`);
  return paragraph.kind === 'quote' ? html`<blockquote>${lines}</blockquote>` : html`<p>${lines}</p>`;
}

export const inlines = (scene: Scene, all: readonly Inline[]): TemplateResult[] =>
  all.map((one) => inlineView(scene, one));

function inlineView(scene: Scene, inline: Inline): TemplateResult {
  switch (inline.kind) {
    case 'text':
      return html`${inline.text}`;
    case 'bold':
      return html`<strong>${inlines(scene, inline.children)}</strong>`;
    case 'italic':
      return html`<em>${inlines(scene, inline.children)}</em>`;
    case 'strike':
      return html`<s>${inlines(scene, inline.children)}</s>`;
    case 'code':
      return html`<code>${inline.text}</code>`;
    case 'link':
      return link(inline.url, html`${withEmoji(inline.text)}`);
    case 'user':
      return userMention(scene, inline.id);
    case 'channel':
      return channelMention(scene, inline.id, inline.name);
    case 'broadcast':
      return html`<span class="mention mention-all">@${inline.range}</span>`;
    case 'date':
      return dateView(scene, inline);
    default:
      return html`${emojiFor(inline.name)}`;
  }
}

/** Only links that lead somewhere harmless are links. */
export function link(url: string, label: TemplateResult): TemplateResult {
  return /^(https?:|mailto:)/i.test(url)
    ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>`
    : label;
}

export function userMention(scene: Scene, id: string): TemplateResult {
  const person = scene.server.people.find((one) => one.id === id);
  return html`<span class="mention" ?data-me=${id === scene.server.me.id}>@${person?.realName ?? id}</span>`;
}

export function channelMention(scene: Scene, id: string, name?: string): TemplateResult {
  const channel = scene.server.channels.find((one) => one.id === id);
  if (channel === undefined) return html`<span class="mention">#${name ?? id}</span>`;
  return html`<button
    type="button"
    class="mention"
    @click=${() => {
      scene.actions.goTo({ kind: 'channel', id });
    }}
  >
    #${channel.name}
  </button>`;
}

export interface DateParts {
  seconds: number;
  format: string;
  fallback: string;
  url?: string | undefined;
}

export function dateView(scene: Scene, date: DateParts): TemplateResult {
  const shown = html`<time datetime=${new Date(date.seconds * 1000).toISOString()} title=${date.fallback}
    >${formatDate(date.seconds, date.format, scene.now)}</time
  >`;
  return date.url === undefined ? shown : link(date.url, shown);
}
