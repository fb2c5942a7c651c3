import { catalog } from './catalog.ts';
import type { Step } from './page.ts';
import type { ButtonPlace, ThingsWithButtons } from './page.ts';

/** What a place offers to do with each thing of a kind, the likeliest first. */
export function stepsBeside<Kind extends keyof ThingsWithButtons>(
  kind: Kind,
  place: ButtonPlace,
): (thing: ThingsWithButtons[Kind]) => Step[] {
  const buttons = catalog
    .flatMap(({ name, buttons: all }) => (all?.[kind] ?? []).map((button) => ({ operation: name, button })))
    .filter(({ button }) => button.in.includes(place))
    .toSorted((a, b) => a.button.position - b.button.position);
  return (thing) =>
    buttons
      .filter(({ button }) => button.when?.(thing) ?? true)
      .map(({ operation, button: { label, opens, input } }) => ({
        label,
        operation,
        input: input(thing),
        ...(opens && { opens }),
      }));
}
