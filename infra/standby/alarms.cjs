// The alarms in the standby's Region.
const { alarm, atLeast, maximum, ofQueue, ofService, once, sum } = require('../alarms/alarm.cjs');

module.exports = {
  Resources: {
    StandbyClicksWaiting: alarm(
      'standby-clicks-waiting',
      "Clicks of the standby couldn't be forwarded to the home Region. They wait in StandbyDLQ.",
      [maximum(ofQueue('StandbyDLQ', 'ApproximateNumberOfMessagesVisible')), atLeast(1), once],
    ),

    ClicksUnpublished: alarm(
      'clicks-unpublished',
      'Neither the bus nor StandbyDLQ accepted a click. Only the log of resolve-link has it.',
      [sum(ofService('ClicksUnpublished')), atLeast(1), once],
    ),
  },
};
