import { html, type TemplateResult } from 'lit-html';
import { blocksView } from '../block-kit/blocks.ts';
import type { RenderContext } from '../render-context.ts';
import { withEdits } from '../ui.ts';

/** Renders the Home tab of the person. */
export function homeView(context: RenderContext): TemplateResult {
  const { home, botName } = context.server;
  return home === null
    ? html`<p class="empty">${botName} has not published a Home tab for you yet.</p>`
    : blocksView(
        {
          context,
          source: { kind: 'view', id: home.id },
          values: withEdits(home.state.values, context.ui.edits[home.id]),
          errors: {},
        },
        home.blocks,
      );
}
