import type { PageState } from '../page-contract.ts';

/** What the main pane shows. */
export type Route = { kind: 'channel'; id: string } | { kind: 'home' } | { kind: 'slackbot' } | { kind: 'workflow' };

interface HashTarget {
  person?: string;
  route?: Route;
}

/** Parses the person and the route from the URL's hash, for example `#/U00000ADA/C0TRAINING`. */
export function parseHash(hash: string): HashTarget {
  const target: HashTarget = {};
  for (const part of hash.replace(/^#\/?/, '').split('/')) {
    if (/^U[A-Z0-9]+$/.test(part)) target.person = part;
    if (/^[CDG][A-Z0-9]+$/.test(part)) target.route = { kind: 'channel', id: part };
    if (part === 'home' || part === 'slackbot' || part === 'workflow') target.route = { kind: part };
  }
  return target;
}

export const formatHash = (person: string, route: Route): string =>
  `#/${person}/${route.kind === 'channel' ? route.id : route.kind}`;

/**
 * Returns the route if the person may see it, else the closest alternative: their own direct messages or first
 * channel.
 */
export function nearestRoute({ channels, direct, slackbot, workflow }: PageState, route: Route): Route {
  if (route.kind === 'slackbot') return slackbot === null ? { kind: 'channel', id: direct.id } : route;
  if (route.kind === 'workflow') return workflow === null ? { kind: 'channel', id: direct.id } : route;
  if (route.kind === 'home' || [...channels, direct].some((channel) => channel.id === route.id)) return route;
  const closest = route.id.startsWith('D') ? direct : (channels[0] ?? direct);
  return { kind: 'channel', id: closest.id };
}
