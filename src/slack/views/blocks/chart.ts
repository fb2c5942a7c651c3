import type { Block, KnownBlock } from '@slack/types';
import { lengthInEnglish, say, joinSaid } from '../../../domain/said.ts';
import type { Chart } from '../../../operations/page.ts';
import { section } from './mrkdwn.ts';

/** A chart drawn by Slack: bars, or a line with the goal as a second line. Modals don’t support this block. */
export function drawChart(chart: Chart): KnownBlock {
  const { goal, points } = chart;
  return goal === undefined
    ? plotted('bar', chart, [chart])
    : plotted('line', chart, [
        chart,
        { name: goal.name, points: points.map(({ label }) => ({ label, value: goal.value })) },
      ]);
}

function plotted(
  type: 'bar' | 'line',
  { title, points, xLabel, yLabel }: Chart,
  series: readonly Pick<Chart, 'name' | 'points'>[],
): KnownBlock {
  const block: Block & { title: string; chart: object } = {
    type: 'data_visualization',
    title: title,
    chart: {
      type,
      series: series.map(({ name, points: data }) => ({
        name: name,
        data: data.map(({ label, value }) => ({ label: label, value })),
      })),
      axis_config: {
        categories: points.map(({ label }) => label),
        x_label: xLabel,
        y_label: yLabel,
      },
    },
  };
  return block as Block as KnownBlock; // younger than the SDK's types
}

const longestBar = 20;

/** The same chart as text. A goal fills the line. */
export function textChart({ title, xLabel, points, goal }: Chart): KnownBlock {
  const labelWidth = Math.max(...points.map(({ label }) => lengthInEnglish(label)));
  const most = Math.max(1, goal?.value ?? 0, ...points.map(({ value }) => value));
  const line = ({ label, value }: { label: string; value: number }): string => {
    const bar = '█'.repeat(Math.ceil((longestBar * value) / most));
    return say`\`${' '.repeat(labelWidth - lengthInEnglish(label))}${label}\` ${bar}${bar && ' '}${value}`;
  };
  return section(joinSaid([say`*${title}* · ${xLabel}`, ...points.map(line)], '\n'));
}
