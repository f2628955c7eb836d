/**
 * The Lua script that wrk runs: prepared bodies in turn, with a new address for each visit.
 *
 * Control plane. Requests are formatted once in `init`, when wrk has set the Host header. Each is a
 * C buffer; for every request the addresses (15 bytes at known places) are overwritten, which costs
 * less than a microsecond a hit. Arguments: file of bodies, access token, first visit ordinal.
 */
export const WRK_SCRIPT = `
local ffi = require("ffi")
local templates, turn, visitBase, visitCount = {}, 0, 0, 0
local numbers = {}

-- The same as visitAddress in pool.ts.
local function address(ordinal)
  local rest = (ordinal * 48271) % 470749184
  local a = numbers[rest % 156]
  rest = math.floor(rest / 156)
  local b = numbers[rest % 156]
  rest = math.floor(rest / 156)
  local c = numbers[rest % 156]
  rest = math.floor(rest / 156)
  return numbers[rest] .. "." .. a .. "." .. b .. "." .. c
end

function init(args)
  for number = 0, 155 do numbers[number] = tostring(100 + number) end
  visitBase = tonumber(args[3])
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. args[2]
  for body in io.lines(args[1]) do
    local request = wrk.format(nil, nil, nil, body)
    local buffer = ffi.new("char[?]", #request)
    ffi.copy(buffer, request, #request)
    local places, visits = {}, {}
    for place, visit in request:gmatch('()visit%-(%d%d%d%d%d%d%d%d%d)') do
      places[#places + 1] = place - 1
      visits[#visits + 1] = tonumber(visit)
      visitCount = math.max(visitCount, tonumber(visit) + 1)
    end
    templates[#templates + 1] = { buffer = buffer, size = #request, places = places, visits = visits }
  end
end

function request()
  if turn == #templates then
    turn = 0
    visitBase = visitBase + visitCount
  end
  turn = turn + 1
  local template = templates[turn]
  local buffer, places, visits = template.buffer, template.places, template.visits
  local before, text = -1, nil
  for index = 1, #places do
    if visits[index] ~= before then
      before = visits[index]
      text = address(visitBase + before)
    end
    ffi.copy(buffer + places[index], text, 15)
  end
  return ffi.string(buffer, template.size)
end

function done(summary, latency, requests)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '\\n{"requests":%d,"seconds":%.6f,"latencyMsP50":%.3f,"latencyMsP99":%.3f,"failures":%d}\\n',
    summary.requests, summary.duration / 1000000, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, failures))
end
`;
