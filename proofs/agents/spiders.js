import { parse } from 'yaml';
/**
 * Sorts agents by uap-core's rules, in which a bot is a device of the brand "Spider". An agent that
 * names neither a spider nor an operating system is left out: nothing says what it is.
 */
export function findSpiders(agents, yaml) {
    const rules = parse(yaml);
    const devices = rules.device_parsers.map(({ regex, regex_flag, brand_replacement }) => ({
        pattern: new RegExp(regex, regex_flag),
        isSpider: brand_replacement === 'Spider',
    }));
    const systems = rules.os_parsers.map(({ regex }) => new RegExp(regex));
    return agents.flatMap((text) => {
        const device = devices.find(({ pattern }) => pattern.test(text));
        if (device?.isSpider)
            return [{ text, isBot: true }];
        return systems.some((pattern) => pattern.test(text)) ? [{ text, isBot: false }] : [];
    });
}
