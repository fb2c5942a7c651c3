import { html, type TemplateResult } from 'lit-html';
import type { RenderContext } from '../render-context.ts';
import { avatar } from './avatar.ts';
import { topLinks } from './top-bar.ts';

/** Renders links to all workspaces, in the same order on each of their pages. Each has a page of its own. */
export function workspaceSwitch(context: RenderContext): TemplateResult | '' {
  const { teamName, workspaces } = context.server;
  if (workspaces.length === 0) return '';
  return html`<div class="workspaces">
    <nav aria-label="Workspaces">
      <ul>
        ${workspaces.map(
          ({ label, url }) =>
            html`<li>
              <a href=${url} aria-current=${label === teamName ? 'page' : 'false'}
                >${avatar({ id: label, realName: label }, 'small')}${label}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    ${topLinks(context)}
  </div>`;
}
