import type { Block, KnownBlock } from '@slack/types';
import { clip, joinMrkdwn, md, section, type Mrkdwn } from './mrkdwn.ts';

/** One number per category. Slack takes at most 20 categories and shows at most 20 characters of each. */
export interface BarChart {
  title: string;
  name: string;
  points: readonly { label: string; value: number }[];
  xLabel: string;
  yLabel: string;
}

/** Slack's limits: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const titleLimit = 50;
const labelLimit = 20;

/** A bar chart drawn by Slack. Modals don't support this block. */
export function barChart(chart: BarChart): KnownBlock {
  const data = chart.points.map(({ label, value }) => ({ label: clip(label, labelLimit), value }));
  const block: Block & { title: string; chart: object } = {
    type: 'data_visualization',
    title: clip(chart.title, titleLimit),
    chart: {
      type: 'bar',
      series: [{ name: clip(chart.name, labelLimit), data }],
      axis_config: {
        categories: data.map(({ label }) => label),
        x_label: clip(chart.xLabel, titleLimit),
        y_label: clip(chart.yLabel, titleLimit),
      },
    },
  };
  return block as Block as KnownBlock; // younger than the SDK's types
}

const longestBar = 20;

/** The same chart as text. */
export function textChart({ title, xLabel, points }: BarChart): KnownBlock {
  const labelWidth = Math.max(...points.map(({ label }) => label.length));
  const most = Math.max(1, ...points.map(({ value }) => value));
  const line = ({ label, value }: { label: string; value: number }): Mrkdwn => {
    const bar = '█'.repeat(Math.ceil((longestBar * value) / most));
    return md`\`${label.padStart(labelWidth)}\` ${bar}${bar && ' '}${value}`;
  };
  return section(joinMrkdwn([md`*${title}* · ${xLabel}`, ...points.map(line)], '\n'));
}
