import type { Load } from '../kill-test.ts';

/** Several loads at the same time, by what they are called in problems. */
export function together(loads: ReadonlyMap<string, Load>): Load {
  const all = [...loads.values()];
  return {
    send: (killed) => Promise.all(all.map(async (load) => load.send?.(killed))),
    done: () => all.reduce((sum, load) => sum + load.done(), 0),
    isWaiting: () => all.some((load) => load.isWaiting()),
    over: () => Promise.all(all.map((load) => load.over())),
    async judge() {
      const judged = await Promise.all(
        [...loads].map(async ([name, load]) => ({ name, judgement: await load.judge() })),
      );
      const sum = (key: 'lost' | 'doubled' | 'wrong') =>
        judged.reduce((total, { judgement }) => total + judgement[key], 0);
      const [lost, doubled, wrong] = [sum('lost'), sum('doubled'), sum('wrong')];
      return {
        lost,
        doubled,
        wrong,
        problems: judged.flatMap(({ name, judgement: { problems = [] } }) =>
          problems.map((problem) => `${name}: ${problem}`),
        ),
        figure: (run) => judged.map(({ name, judgement }) => `${name}: ${judgement.figure(run)}`).join('\n'),
      };
    },
  };
}
