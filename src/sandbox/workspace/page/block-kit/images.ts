import { html, type TemplateResult } from 'lit-html';
import type { BlockOf } from '../../block-kit/blocks.ts';
import type { ImageElement } from '../../block-kit/elements.ts';
import type { WorkspaceFile } from '../../model.ts';
import { initialOf } from '../parts/avatar.ts';
import { link } from './text.ts';

type Picture = Pick<ImageElement, 'alt_text' | 'image_url' | 'slack_file'>;

/** Names and links remote images instead of loading them: the sandbox makes no requests to other hosts. */
export function pictureView(picture: Picture, size: 'small' | 'large'): TemplateResult {
  if (picture.slack_file !== undefined && 'id' in picture.slack_file)
    return html`<img class="picture-${size}" src="/files/${picture.slack_file.id}" alt=${picture.alt_text} />`;
  const url = picture.image_url ?? '';
  if (size === 'small')
    return html`<span class="picture-elsewhere" role="img" aria-label=${picture.alt_text} title=${url}
      >${initialOf(picture.alt_text)}</span
    >`;
  return html`<figure class="picture-elsewhere">${link(url, html`🖼 ${picture.alt_text}`)}</figure>`;
}

export function imageBlockView(block: BlockOf<'image'>): TemplateResult {
  return html`<div class="block-image">
    ${block.title === undefined ? '' : html`<p class="caption">${block.title.text}</p>`}${pictureView(block, 'large')}
  </div>`;
}

/** Renders a file: an image, or a download with the beginning of its text. */
export function fileView(file: WorkspaceFile): TemplateResult {
  return html`<figure class="file">
    <figcaption>
      <a href=${file.url} download=${file.name}>${file.title}</a>
      <span class="muted">${file.title === file.name ? '' : `${file.name} · `}${sizeOf(file.size)}</span>
    </figcaption>
    ${file.mimetype.startsWith('image/') ? html`<img src=${file.url} alt=${file.altText ?? file.title} />` : ''}
    ${file.preview === undefined ? '' : html`<pre tabindex="0" aria-label="Beginning of ${file.name}">${file.preview}</pre>`}
  </figure>`;
}

function sizeOf(bytes: number): string {
  return bytes < 1024
    ? `${bytes} bytes`
    : `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(bytes / 1024)} KB`;
}
