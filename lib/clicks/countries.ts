/**
 * The attributes of the thirty countries with the most internet users, by ISO 3166-1 code: the
 * population times the share of users in the World Factbook of 2026. Never change or reuse one.
 *
 * @see https://github.com/factbook/factbook.json
 */
export const countries: Readonly<Record<string, string>> = {
  ...{ CN: 'c0', IN: 'c1', US: 'c2', ID: 'c3', BR: 'c4', RU: 'c5', JP: 'c6', MX: 'c7', PH: 'c8' },
  ...{ NG: 'c9', VN: 'ca', EG: 'cb', DE: 'cc', BD: 'cd', TR: 'ce', IR: 'cf', PK: 'cg', GB: 'ch' },
  ...{ TH: 'ci', FR: 'cj', IT: 'ck', KR: 'cl', ZA: 'cm', ES: 'cn', AR: 'cp', CO: 'cq', CD: 'cr' },
  ...{ CA: 'cs', DZ: 'ct', SA: 'cv' },
};
