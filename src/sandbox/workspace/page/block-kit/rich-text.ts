import { type TemplateResult, html } from 'lit-html';
import type { RichText, RichTextContainer, RichTextInline } from '../../block-kit/rich-text.ts';
import { hrefFor, type RenderContext } from '../render-context.ts';
import { emojiFor } from '../text/emoji.ts';
import { channelMention, dateView, link, userGroupMention, userMention } from './text.ts';

export function richTextView(context: RenderContext, block: RichText): TemplateResult {
  return html`<div class="mrkdwn">${block.elements.map((part) => containerView(context, part))}</div>`;
}

function containerView(context: RenderContext, part: RichTextContainer): TemplateResult {
  switch (part.type) {
    case 'rich_text_section':
      return html`<p>${inlines(context, part.elements)}</p>`;
    case 'rich_text_quote':
      return html`<blockquote>${inlines(context, part.elements)}</blockquote>`;
    case 'rich_text_preformatted':
      return html`<pre tabindex="0">${inlines(context, part.elements)}</pre>`;
    default: {
      const items = part.elements.map((item) => html`<li>${inlines(context, item.elements)}</li>`);
      return part.style === 'ordered'
        ? html`<ol data-indent=${part.indent ?? 0} start=${(part.offset ?? 0) + 1}>
            ${items}
          </ol>`
        : html`<ul data-indent=${part.indent ?? 0}>
            ${items}
          </ul>`;
    }
  }
}

const inlines = (context: RenderContext, all: readonly RichTextInline[]): TemplateResult[] =>
  all.map((inline) => styled(inline, inlineView(context, inline)));

function styled(inline: RichTextInline, content: TemplateResult): TemplateResult {
  const { bold, italic, strike, underline, code } = inline.style ?? {};
  let shown = content;
  if (code === true) shown = html`<code>${shown}</code>`;
  if (underline === true) shown = html`<u>${shown}</u>`;
  if (strike === true) shown = html`<s>${shown}</s>`;
  if (italic === true) shown = html`<em>${shown}</em>`;
  if (bold === true) shown = html`<strong>${shown}</strong>`;
  return shown;
}

function inlineView(context: RenderContext, inline: RichTextInline): TemplateResult {
  switch (inline.type) {
    case 'text':
      return html`${inline.text.split('\n').map((line, index) => html`${index === 0 ? '' : html`<br />`}${line}`)}`;
    case 'link':
      return link(hrefFor(context, inline.url), html`${inline.text ?? inline.url}`);
    case 'user':
      return userMention(context, inline.user_id);
    case 'channel':
      return channelMention(context, inline.channel_id);
    case 'emoji':
      return html`${emojiFor(inline.name)}`;
    case 'broadcast':
      return html`<span class="mention mention-all">@${inline.range}</span>`;
    case 'date':
      return dateView(context, {
        seconds: inline.timestamp,
        format: inline.format,
        fallback: inline.fallback ?? '',
        url: inline.url,
      });
    case 'usergroup':
      return userGroupMention(context, inline.usergroup_id);
    case 'team':
      return html`<span class="mention">${inline.team_id}</span>`;
    default:
      return html`<code>${inline.value}</code>`;
  }
}
