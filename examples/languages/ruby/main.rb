# Isthmus from Ruby, without Python in the process:
#   ruby main.rb "$(python -m isthmus.config --library)"
# SPDX-License-Identifier: Apache-2.0
require_relative "isthmus"

np = Isthmus.load(ARGV.fetch(0))

def show(value)
  value.is_a?(Array) ? "[#{value.map { |item| show(item) }.join(', ')}]" : format("%g", value)
end

# Create an array, add, sum, split.
a = np.reshape(np.arange(6, dtype: "float64"), [2, 3])
puts "a: #{show(a.to_a)}"
puts "add: #{show((a + 0.5).to_a)}"
puts "sum: #{show(np.sum(a, axis: 0).to_a)}"
puts "split: #{np.split(a, 3, axis: 1).map { |part| show(part.to_a) }.join(' ')}"

# Handle an error.
begin
  np.reshape(a, [4])
rescue Isthmus::Error => e
  puts "error: #{e.kind}"
end

# Share memory: the array and the bytes are one.
memory = Fiddle::Pointer.malloc(24, Fiddle::RUBY_FREE)
memory[0, 24] = [1.0, 2.0, 3.0].pack("d*")
shared = Isthmus.from_memory(memory, [3], "float64")
memory[0, 8] = [10.0].pack("d")
np.multiply(shared, 2, out: shared)
puts "shared: #{show(shared.to_a)} #{show(memory[16, 8].unpack1('d'))}"

# Pass a callback: C++ calls it, and an operator may be made of one. It is there by name at once.
calls = 0
Isthmus.global("isthmus.testing.repeat", proc { |step| calls += step }, 4, 5)
puts "callback: #{calls}"
Isthmus.global("isthmus.register_op", "example.axpy",
               "(x: Array, y: Array, alpha: float = 2.0) -> Array", "alpha * x + y",
               proc { |x, y, alpha| x * alpha + y })
puts "operator: #{show(np.example.axpy(shared, 1, alpha: 0.5).to_a)}"
names = Isthmus.parameters("example.axpy").map { |p| "#{p[:name]}:#{p[:type]}" }
puts "parameters: #{names.join(' ')}"

# An error of the callback comes back as what it was.
begin
  Isthmus.global("isthmus.testing.repeat", proc { raise Isthmus::Error.new("KeyError", "from the host") }, 1)
rescue Isthmus::Error => e
  puts "callback error: #{e.kind}: #{e.message}"
end
