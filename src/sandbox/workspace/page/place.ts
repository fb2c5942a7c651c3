import type { PageState } from '../page-contract.ts';
import type { Place } from './ui.ts';

/** Where a person is, when they may see it; else what comes closest: their own direct messages, or their first channel. */
export function placeFor({ channels, direct }: PageState, place: Place): Place {
  if (place.kind === 'home' || [...channels, direct].some((channel) => channel.id === place.id)) return place;
  const closest = place.id.startsWith('D') ? direct : (channels[0] ?? direct);
  return { kind: 'channel', id: closest.id };
}
