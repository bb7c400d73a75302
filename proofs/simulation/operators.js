import { describeExcessAge } from '../../cli/dlq/age-limit.ts';
/**
 * Moves dead letters back to their queue: each becomes a new message. Whether one is too old is decided
 * by the code of `dlq redrive`.
 */
export function redrive(queues) {
    const { plan, time, deadLetters, statistics, trace } = queues;
    const isYoung = (letter) => describeExcessAge(letter, plan.settings, time.nowMs) === undefined;
    const letters = deadLetters.list().filter(isYoung);
    trace.note(() => `operator: redrives ${letters.length} dead letters`);
    statistics.add('redriven', letters.length);
    const random = queues.random(`redrive ${time.nowMs}`);
    for (const letter of letters)
        moveBack(queues, random, letter);
}
function moveBack({ queue, deadLetters, time, faults }, random, letter) {
    const send = () => queue.send(letter.body, letter.sent, letter.firstSentMs);
    const move = () => {
        send();
        deadLetters.remove(letter);
    };
    faults.act('operator → queue: redrive', move, {
        'never sent': () => { },
        refused: () => { },
        'answer lost': send,
        late: () => time.after(random.exponential(600000), move),
        twice: () => {
            send();
            move();
        },
    });
}
