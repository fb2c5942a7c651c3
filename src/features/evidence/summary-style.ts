import { html } from './html.ts';

/** For the screen and for A4. */
export const style = html`<style>
@page { size: A4; margin: 18mm 16mm; }
body { font: 10.5pt/1.45 "Noto Sans", "Segoe UI", Helvetica, Arial, sans-serif; color: #111; background: #fff; max-width: 178mm; margin: 0 auto; padding: 8mm 0; }
h1 { font-size: 20pt; margin: 0 0 4mm; }
h2 { font-size: 14pt; margin: 9mm 0 2mm; padding-top: 3mm; border-top: 0.4mm solid #111; }
h3 { font-size: 11pt; margin: 5mm 0 1mm; }
h1, h2, h3 { line-height: 1.25; break-after: avoid; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: 44mm 1fr; gap: 1mm 3mm; margin: 0 0 4mm; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 2mm 0 4mm; font-size: 9.5pt; }
table.counts { width: auto; min-width: 90mm; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: 0.2mm solid #bbb; overflow-wrap: anywhere; }
thead th { border-bottom: 0.4mm solid #111; overflow-wrap: normal; }
tbody th { font-weight: 400; }
table.counts td { text-align: right; font-variant-numeric: tabular-nums; }
td.short { white-space: nowrap; overflow-wrap: normal; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
code { font: 9pt/1.4 "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; } }
</style>`;
