import { expect, test } from 'vitest';
import {
  areaOf,
  framesOf,
  placeOf,
  readProfile,
  ownShares,
  sharesWithCalls,
  type CpuProfile,
  type Frame,
} from './cpu-profile.ts';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 41 },
  children,
});

/** `take` calls `parse` and `insert`; a millisecond lies between two samples. */
function profileOf(...samples: number[]): CpuProfile {
  return {
    nodes: [
      node(1, '(root)', '', [2, 3]),
      node(2, '(idle)', ''),
      node(3, 'take', 'file:///bot/src/http/server.ts', [4, 5]),
      node(4, '', 'file:///bot/node_modules/zod/v4/core.js'),
      node(5, 'insert', '', [6]),
      node(6, 'take', 'file:///bot/src/http/server.ts'),
    ],
    startTime: 1_000_000,
    samples,
    timeDeltas: samples.map((_, index) => (index === 0 ? 0 : 1_000)),
  };
}

const always = { from: 0, to: Infinity };

/** The frames as `name total/self`, with what they call indented. */
function outline({ name, totalUs, selfUs, children }: Frame, indent = ''): string[] {
  return [`${indent}${name} ${totalUs}/${selfUs}`, ...children.flatMap((child) => outline(child, `${indent}  `))];
}

test('a function has its own time and that of what it calls, the longest first', () => {
  expect(outline(framesOf(profileOf(3, 5, 5, 4, 3), always))).toEqual([
    'all 4000/0',
    '  take 4000/1000',
    '    insert 2000/2000',
    '    line 42 1000/1000',
  ]);
});

test('a function that is called by itself, further up, is a frame of its own', () => {
  expect(outline(framesOf(profileOf(6, 6), always))).toEqual([
    'all 1000/0',
    '  take 1000/0',
    '    insert 1000/0',
    '      take 1000/1000',
  ]);
});

test('time in which nothing is to do is left out', () => {
  expect(outline(framesOf(profileOf(3, 2, 2, 3, 3), always))).toEqual(['all 2000/0', '  take 2000/2000']);
});

test('time before and after the load is left out', () => {
  expect(outline(framesOf(profileOf(3, 3, 4, 4, 5), { from: 1_001_000, to: 1_003_000 }))).toEqual([
    'all 2000/0',
    '  take 2000/1000',
    '    line 42 1000/1000',
  ]);
});

test('a profile is read as V8 writes it', () => {
  const profile = profileOf(3, 3);
  expect(readProfile(JSON.stringify({ ...profile, endTime: 1_002_000 }))).toEqual(profile);
  expect(() => readProfile('{"nodes":[]}')).toThrow();
});

test.each([
  ['file:///bot/src/http/server.ts', 'src/http/server.ts', 'bot'],
  ['file:///bot/node_modules/@slack/bolt/dist/App.js', '@slack/bolt', 'package'],
  ['file:///bot/node_modules/zod/src/v4/core.js', 'zod', 'package'],
  ['node:internal/timers', 'node:internal/timers', 'Node'],
  ['', '', 'native'],
])('%s is shown as “%s”, of %s', (url, place, area) => {
  expect(placeOf(url)).toBe(place);
  expect(areaOf({ place })).toBe(area);
});

test('shares add up the own time of a function wherever it is called', () => {
  const frames = framesOf(profileOf(6, 3, 5, 5, 4), always);
  expect(ownShares(frames, ({ name }) => name)).toEqual([
    ['take', 0.5],
    ['insert', 0.5],
  ]);
  expect(ownShares(frames, areaOf)).toEqual([
    ['bot', 0.5],
    ['native', 0.5],
  ]);
});

test('shares with what is called count a function that calls itself through others once', () => {
  const frames = framesOf(profileOf(6, 3, 5, 5, 4), always);
  expect(sharesWithCalls(frames, ({ name }) => name)).toEqual([
    ['all', 1],
    ['take', 1],
    ['insert', 0.75],
  ]);
  expect(
    sharesWithCalls(
      frames,
      ({ name }) => name,
      ({ place }) => place === '',
    ),
  ).toEqual([
    ['all', 1],
    ['insert', 0.75],
  ]);
});
