import * as z from 'zod';

/** What V8 writes with `--cpu-prof`: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  /** In microseconds of the system's monotonic clock, which `process.hrtime` has as well. */
  startTime: z.number(),
  samples: z.array(z.number()),
  /** Before each sample, in microseconds. */
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.infer<typeof profileSchema>;

export function readProfile(text: string): CpuProfile {
  return profileSchema.parse(JSON.parse(text));
}

/** A function in one place of the stack, with all calls of it there. */
export interface Frame {
  /** Of a function without one, its line. */
  name: string;
  /** The file below the project, the package, or `node:…`; empty for native code. */
  place: string;
  /** Its own and that of what it calls, in microseconds. */
  totalUs: number;
  selfUs: number;
  children: Frame[];
}

/**
 * Adds up where the time between two moments went, without the time in which nothing was to do.
 *
 * @param between in microseconds, by the clock of the profile
 */
export function framesOf(profile: CpuProfile, between: { from: number; to: number }): Frame {
  const root: Frame = { name: 'all', place: '', totalUs: 0, selfUs: 0, children: [] };
  const stacks = stacksOf(profile);
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0;
    const lastedUs = profile.timeDeltas[index + 1] ?? 0;
    const stack = stacks.get(id);
    if (at >= between.from && at < between.to && lastedUs > 0 && stack) addTime(root, stack, lastedUs);
  }
  sortByTime(root);
  return root;
}

type Place = Pick<Frame, 'name' | 'place'>;

/** The frames from the outermost to each node; undefined for a node at which nothing was to do. */
function stacksOf({ nodes }: CpuProfile): Map<number, readonly Place[] | undefined> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stackOf = (id: number): Place[] => {
    const node = byId.get(id);
    const parent = parents.get(id);
    if (node === undefined || parent === undefined) return [];
    const { functionName, url, lineNumber } = node.callFrame;
    return [...stackOf(parent), { name: functionName || `line ${lineNumber + 1}`, place: placeOf(url) }];
  };
  return new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName === '(idle)' ? undefined : stackOf(id)]));
}

/** Shortens the address of a script: to a path in the project, the name of a package, or a module of Node. */
export function placeOf(url: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  return inPackage ?? /\/((?:src|test)\/.+)$/.exec(url)?.[1] ?? url.replace(/^file:\/\//, '');
}

function addTime(root: Frame, stack: readonly Place[], us: number): void {
  let frame = root;
  frame.totalUs += us;
  for (const { name, place } of stack) {
    let child = frame.children.find((known) => known.name === name && known.place === place);
    if (child === undefined) {
      child = { name, place, totalUs: 0, selfUs: 0, children: [] };
      frame.children.push(child);
    }
    child.totalUs += us;
    frame = child;
  }
  frame.selfUs += us;
}

function sortByTime(frame: Frame): void {
  frame.children.sort((a, b) => b.totalUs - a.totalUs);
  for (const child of frame.children) sortByTime(child);
}

/** Where code comes from. */
export type Area = 'bot' | 'package' | 'Node' | 'native';

export function areaOf({ place }: Pick<Frame, 'place'>): Area {
  if (place === '') return 'native';
  if (place.startsWith('node:')) return 'Node';
  return /^(?:src|test)\//.test(place) ? 'bot' : 'package';
}

/** How much of all time each function, or each area, took itself; the most first. @param keyOf what is counted together */
export function ownShares(root: Frame, keyOf: (frame: Frame) => string): [key: string, share: number][] {
  const shares = new Map<string, number>();
  const visit = (frame: Frame): void => {
    addShare(shares, keyOf(frame), frame.selfUs / root.totalUs);
    for (const child of frame.children) visit(child);
  };
  visit(root);
  return theMostFirst(shares);
}

/**
 * How much of all time each function took with what it calls; the most first. Where a function calls itself, also through others, the
 * outer call has the time of the inner one.
 *
 * @param isShown others are looked through
 */
export function sharesWithCalls(
  root: Frame,
  keyOf: (frame: Frame) => string,
  isShown: (frame: Frame) => boolean = () => true,
): [key: string, share: number][] {
  const shares = new Map<string, number>();
  const visit = (frame: Frame, outer: ReadonlySet<string>): void => {
    const key = keyOf(frame);
    const isCounted = isShown(frame) && !outer.has(key);
    if (isCounted) addShare(shares, key, frame.totalUs / root.totalUs);
    const within = isCounted ? new Set([...outer, key]) : outer;
    for (const child of frame.children) visit(child, within);
  };
  visit(root, new Set());
  return theMostFirst(shares);
}

function addShare(shares: Map<string, number>, key: string, share: number): void {
  if (share > 0) shares.set(key, (shares.get(key) ?? 0) + share);
}

function theMostFirst(shares: ReadonlyMap<string, number>): [key: string, share: number][] {
  return [...shares].toSorted(([, a], [, b]) => b - a);
}
