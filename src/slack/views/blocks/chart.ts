import type { Block, KnownBlock } from '@slack/types';
import { lengthInEnglish, say, joinSaid } from '../../../domain/said.ts';
import { section } from './mrkdwn.ts';

/** One number per category. Slack takes at most 20 categories and shows at most 20 characters of each. */
export interface BarChart {
  title: string;
  name: string;
  points: readonly { label: string; value: number }[];
  xLabel: string;
  yLabel: string;
}

/** A bar chart drawn by Slack. Modals don't support this block. */
export function barChart(chart: BarChart): KnownBlock {
  return plotted('bar', chart, [chart]);
}

/** Numbers that rise towards a goal. */
export interface GoalChart extends BarChart {
  goal: { name: string; value: number };
}

/** A line chart drawn by Slack, with the goal as a second line. Modals don't support this block. */
export function lineChart(chart: GoalChart): KnownBlock {
  const { goal, points } = chart;
  return plotted('line', chart, [
    chart,
    { name: goal.name, points: points.map(({ label }) => ({ label, value: goal.value })) },
  ]);
}

function plotted(
  type: 'bar' | 'line',
  { title, points, xLabel, yLabel }: BarChart,
  series: readonly Pick<BarChart, 'name' | 'points'>[],
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
export function textChart({ title, xLabel, points, goal }: BarChart & Partial<GoalChart>): KnownBlock {
  const labelWidth = Math.max(...points.map(({ label }) => lengthInEnglish(label)));
  const most = Math.max(1, goal?.value ?? 0, ...points.map(({ value }) => value));
  const line = ({ label, value }: { label: string; value: number }): string => {
    const bar = '█'.repeat(Math.ceil((longestBar * value) / most));
    return say`\`${' '.repeat(labelWidth - lengthInEnglish(label))}${label}\` ${bar}${bar && ' '}${value}`;
  };
  return section(joinSaid([say`*${title}* · ${xLabel}`, ...points.map(line)], '\n'));
}
