import { html, svg, type TemplateResult } from 'lit-html';
import type { Chart, DataVisualization, PlottedChart } from '../../block-kit/charts.ts';

const width = 480;
const height = 240;
const margin = { left: 44, right: 12, top: 12, bottom: 40 };
const plot = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };

const number = (value: number): string => new Intl.NumberFormat().format(value);

export function chartView(block: DataVisualization): TemplateResult {
  const { chart } = block;
  return html`<figure class="chart">
    <figcaption>${block.title}</figcaption>
    ${chart.type === 'pie' ? pieView(block.title, chart) : plottedView(block.title, chart)} ${legend(chart)}
    <details>
      <summary>Show as a table</summary>
      ${chartTable(block.title, chart)}
    </details>
  </figure>`;
}

type Pie = Extract<Chart, { type: 'pie' }>;

function pieView(title: string, chart: Pie): TemplateResult {
  const total = chart.segments.reduce((sum, segment) => sum + segment.value, 0);
  let from = 0;
  const slices = chart.segments.map((segment, index) => {
    const share = segment.value / total;
    const slice =
      share >= 1
        ? svg`<circle r="100" class="fill-${index}" />`
        : svg`<path d=${slicePath(from, from + share)} class="fill-${index}"><title>${segment.label}: ${percent(share)}</title></path>`;
    from += share;
    return slice;
  });
  return html`<svg class="pie" viewBox="-104 -104 208 208" role="img" aria-label="Pie chart: ${title}">${slices}</svg>`;
}

const percent = (share: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(share);

function slicePath(from: number, to: number): string {
  return `M 0 0 L ${onCircle(from)} A 100 100 0 ${to - from > 0.5 ? 1 : 0} 1 ${onCircle(to)} Z`;
}

const onCircle = (share: number): string =>
  `${100 * Math.sin(share * 2 * Math.PI)} ${-100 * Math.cos(share * 2 * Math.PI)}`;

function plottedView(title: string, chart: PlottedChart): TemplateResult {
  const { categories, x_label: xLabel, y_label: yLabel } = chart.axis_config;
  const scale = niceScale(chart.series.flatMap((series) => series.data.map((point) => point.value)));
  const names = { bar: 'Bar chart', line: 'Line chart', area: 'Area chart' };
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${names[chart.type]}: ${title}">
    ${scale.ticks.map((tick) => gridLine(scale, tick))} ${categoryLabels(categories)}
    ${axisTitle(xLabel, `translate(${margin.left + plot.width / 2} ${height - 3})`)}
    ${axisTitle(yLabel, `translate(11 ${margin.top + plot.height / 2}) rotate(-90)`)}
    ${chart.type === 'bar' ? bars(chart, scale) : chart.series.map((series, order) => lineView(chart, series, order, scale))}
  </svg>`;
}

function gridLine(scale: Scale, tick: number): TemplateResult {
  const top = y(scale, tick);
  return svg`<line class="grid" x1=${margin.left} x2=${width - margin.right} y1=${top} y2=${top} />
    <text class="tick" x=${margin.left - 6} y=${top + 4} text-anchor="end">${compact(tick)}</text>`;
}

/** Labels at most about ten categories, and about five on a phone, so that the labels do not overlap. */
function categoryLabels(categories: readonly string[]): (TemplateResult | '')[] {
  const every = Math.ceil(categories.length / 10);
  // A letter takes 6 units, and 9 on a phone.
  const most = Math.max(8, Math.floor((every * plot.width) / categories.length / (categories.length > 5 ? 6 : 9)));
  const top = height - margin.bottom + 18;
  return categories.map((category, index) =>
    index % every === 0
      ? svg`<text class="tick ${categories.length > 5 && index % (2 * every) > 0 ? 'only-in-wide-chart' : ''}" x=${x(categories, index)} y=${top} text-anchor="middle">
          ${shorten(category, most)}<title>${category}</title>
        </text>`
      : '',
  );
}

const axisTitle = (title: string | undefined, transform: string): TemplateResult | '' =>
  title === undefined ? '' : svg`<text class="axis" transform=${transform} text-anchor="middle">${title}</text>`;

const compact = (value: number): string => new Intl.NumberFormat(undefined, { notation: 'compact' }).format(value);
const shorten = (label: string, most: number): string =>
  label.length > most ? `${label.slice(0, most - 1).trimEnd()}…` : label;
const y = (scale: Scale, value: number): number =>
  margin.top + plot.height * (1 - (value - scale.min) / (scale.max - scale.min));
const x = (categories: readonly string[], index: number): number =>
  margin.left + (plot.width * (index + 0.5)) / categories.length;

type Series = PlottedChart['series'][number];

const valueAt = (series: Series, category: string): number =>
  series.data.find((point) => point.label === category)?.value ?? 0;

function bars(chart: PlottedChart, scale: Scale): TemplateResult[] {
  const { categories } = chart.axis_config;
  const groupWidth = (plot.width / categories.length) * 0.8;
  const barWidth = groupWidth / chart.series.length;
  return categories.flatMap((category, index) =>
    chart.series.map((series, order) => {
      const value = valueAt(series, category);
      const [top, bottom] = [y(scale, Math.max(value, 0)), y(scale, Math.min(value, 0))];
      const left = x(categories, index) - groupWidth / 2 + order * barWidth + 0.5;
      const size = { width: Math.max(1, barWidth - 1), height: bottom - top };
      return svg`<rect class="fill-${order}" x=${left} y=${top} width=${size.width} height=${size.height} rx="1.5">
        <title>${series.name}, ${category}: ${number(value)}</title>
      </rect>`;
    }),
  );
}

function lineView(chart: PlottedChart, series: Series, order: number, scale: Scale): TemplateResult {
  const { categories } = chart.axis_config;
  const points = categories.map((category, index) => {
    const value = valueAt(series, category);
    return { left: x(categories, index), top: y(scale, value), title: `${series.name}, ${category}: ${number(value)}` };
  });
  const path = points.map((point) => `${point.left},${point.top}`).join(' ');
  const base = y(scale, 0);
  const area = `${points[0]?.left},${base} ${path} ${points.at(-1)?.left},${base}`;
  return svg`${chart.type === 'area' ? svg`<polygon class="area fill-${order}" points=${area} />` : ''}
    <polyline class="line stroke-${order}" points=${path} />
    ${points.map(
      (point) => svg`<circle class="fill-${order}" cx=${point.left} cy=${point.top} r="3">
        <title>${point.title}</title>
      </circle>`,
    )}`;
}

function legend(chart: Chart): TemplateResult {
  const total = chart.type === 'pie' ? chart.segments.reduce((sum, segment) => sum + segment.value, 0) : 1;
  const entries =
    chart.type === 'pie'
      ? chart.segments.map((segment) => `${segment.label} ${percent(segment.value / total)}`)
      : chart.series.map((series) => series.name);
  return html`<ul class="legend">
    ${entries.map((entry, index) => html`<li><span class="swatch swatch-${index}" aria-hidden="true"></span>${entry}</li>`)}
  </ul>`;
}

function chartTable(title: string, chart: Chart): TemplateResult {
  if (chart.type === 'pie') {
    return html`<table>
      <caption class="sr-only">
        ${title}
      </caption>
      <tbody>
        ${chart.segments.map(
          (segment) =>
            html`<tr>
              <th scope="row">${segment.label}</th>
              <td class="align-right">${number(segment.value)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
  return html`<table>
    <caption class="sr-only">
      ${title}
    </caption>
    <thead>
      <tr>
        <th scope="col">${chart.axis_config.x_label ?? 'Category'}</th>
        ${chart.series.map((series) => html`<th scope="col">${series.name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${chart.axis_config.categories.map(
        (category) =>
          html`<tr>
            <th scope="row">${category}</th>
            ${chart.series.map((series) => html`<td class="align-right">${number(valueAt(series, category))}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

interface Scale {
  min: number;
  max: number;
  ticks: number[];
}

/** Computes a scale with round ticks that covers all values and zero. The ticks of whole numbers, such as counts, are whole. */
export function niceScale(values: readonly number[], wantedTicks = 4): Scale {
  const low = Math.min(0, ...values);
  const highest = Math.max(0, ...values);
  const high = highest === low ? low + 1 : highest;
  const isWhole = values.every((value) => Number.isInteger(value));
  const step = niceStep(isWhole ? Math.max(1, (high - low) / wantedTicks) : (high - low) / wantedTicks, isWhole);
  const min = Math.floor(low / step) * step;
  const max = Math.ceil(high / step) * step;
  const ticks = Array.from({ length: Math.round((max - min) / step) + 1 }, (_tick, index) =>
    Number((min + index * step).toPrecision(12)),
  );
  return { min, max, ticks };
}

function niceStep(rough: number, isWhole: boolean): number {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / magnitude;
  const nice =
    [1, 2, 2.5, 5, 10].find((candidate) => candidate >= lead && !(isWhole && (candidate * magnitude) % 1 !== 0)) ?? 10;
  return nice * magnitude;
}
