import { parse } from 'yaml';
import type { Agent } from './agent.ts';

interface Rules {
  device_parsers: { regex: string; regex_flag?: string; brand_replacement?: string }[];
  os_parsers: { regex: string }[];
}

/**
 * Sorts agents by uap-core's rules, in which a bot is a device of the brand "Spider". An agent that
 * names neither a spider nor an operating system is left out: nothing says what it is.
 */
export function findSpiders(agents: readonly string[], yaml: string): Agent[] {
  const rules: Rules = parse(yaml);
  const devices = rules.device_parsers.map(({ regex, regex_flag, brand_replacement }) => ({
    pattern: new RegExp(regex, regex_flag),
    isSpider: brand_replacement === 'Spider',
  }));
  const systems = rules.os_parsers.map(({ regex }) => new RegExp(regex));
  return agents.flatMap((text): Agent[] => {
    const device = devices.find(({ pattern }) => pattern.test(text));
    if (device?.isSpider) return [{ text, isBot: true }];
    return systems.some((pattern) => pattern.test(text)) ? [{ text, isBot: false }] : [];
  });
}
