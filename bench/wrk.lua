-- What wrk asks, and how it says what came of it: one line of JSON.
local body = os.getenv('BODY')
if body then
  wrk.method = 'POST'
  wrk.body = body
  wrk.headers['Content-Type'] = 'application/json'
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"micros":%d,"refused":%d,"failed":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
