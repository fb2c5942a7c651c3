import { type TemplateResult, html } from 'lit-html';
import type { Scene } from '../scene.ts';
import { type MarkdownPart, parseMarkdown } from '../text/markdown.ts';
import { inlines } from './text.ts';

export function markdownView(scene: Scene, text: string): TemplateResult {
  return html`<div class="mrkdwn">${parseMarkdown(text).map((part) => partView(scene, part))}</div>`;
}

function partView(scene: Scene, part: MarkdownPart): TemplateResult {
  switch (part.kind) {
    case 'heading':
      return html`<p class="block-header">${inlines(scene, part.inlines)}</p>`;
    case 'preformatted':
      return html`<pre tabindex="0">${part.text}</pre>`;
    case 'rule':
      return html`<hr />`;
    case 'list': {
      const items = part.items.map((item) => html`<li>${inlines(scene, item)}</li>`);
      return part.isOrdered
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    default: {
      const lines = part.lines.map((line, index) => html`${index === 0 ? '' : html`<br />`}${inlines(scene, line)}`);
      return part.kind === 'quote' ? html`<blockquote>${lines}</blockquote>` : html`<p>${lines}</p>`;
    }
  }
}
