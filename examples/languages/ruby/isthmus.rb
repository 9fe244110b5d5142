# A front end for Ruby: the C API of tvm-ffi through Fiddle, which comes with Ruby. It names no operator:
# they are looked up in the registry when they are used.
# SPDX-License-Identifier: Apache-2.0
#
#   np = Isthmus.load(path_of_libisthmus)
#   np.sum(a, axis: 0)
#   np.linalg.inv(a)
#
# Integers, floats, booleans, strings, nil, arrays of Ruby and procs cross as what they are. Operators may
# call a proc on the thread that called them.
require "fiddle"

module Isthmus
  # An error of the FFI. `kind` names the exception that Python would raise.
  class Error < StandardError
    attr_reader :kind

    def initialize(kind, message)
      super(message)
      @kind = kind
    end
  end

  # Type indices of tvm-ffi (TVMFFITypeIndex in tvm/ffi/c_api.h).
  NONE, INT, BOOL, FLOAT, POINTER, SMALL_STR = 0, 1, 2, 3, 4, 11
  OBJECTS, STR, FUNCTION, SHAPE, TENSOR, ARRAY, MAP, LIST = 64, 65, 68, 69, 70, 71, 72, 75
  ANY = 16    # bytes of a TVMFFIAny: int32 type, uint32 length of a small string, 8 bytes of value
  HEADER = 24 # bytes before what an object holds

  # What the operators of Ruby are called in the registry.
  OPERATORS = { :+ => "add", :- => "subtract", :* => "multiply", :/ => "divide", :** => "power",
                :% => "remainder" }.freeze

  # A reference to an object of the FFI, given back when Ruby collects it.
  class Handle
    attr_reader :address, :type_index

    def initialize(address, type_index)
      @address = address
      @type_index = type_index
      ObjectSpace.define_finalizer(self, Handle.release(address))
    end

    def self.release(address)
      proc { Isthmus.api(:TVMFFIObjectDecRef).call(address) }
    end

    # `size` bytes of the object, from `offset` after its header.
    def read(offset, size)
      Fiddle::Pointer.new(address + HEADER + offset)[0, size]
    end
  end

  # A function of the FFI.
  class Function < Handle
    def call(*args)
      Isthmus.from_any(Isthmus.call_object(address, args))
    end
  end

  # An array; what it can do are the operators of the registry: a.sum(axis: 0), a + 1.
  class Array < Handle
    FORMATS = {
      [0, 8] => "c*", [0, 16] => "s*", [0, 32] => "l*", [0, 64] => "q*",
      [1, 8] => "C*", [1, 16] => "S*", [1, 32] => "L*", [1, 64] => "Q*",
      [2, 32] => "f*", [2, 64] => "d*", [6, 8] => "C*"
    }.freeze

    def shape
      integers(24)
    end

    # Steps of each dimension, in elements.
    def strides
      integers(32)
    end

    def dtype
      code, bits, = read(20, 4).unpack("CCS")
      [code, bits]
    end

    # Nested arrays of numbers; a number for an array of no dimensions.
    def to_a
      format = FORMATS.fetch(dtype) { raise Error.new("TypeError", "Ruby has no number of this dtype") }
      data, = read(0, 8).unpack("Q")
      offset, = read(40, 8).unpack("Q")
      level(format, dtype[1] / 8, data + offset, shape.zip(strides))
    end

    def coerce(number)
      [Scalar.new(number), self]
    end

    OPERATORS.each do |symbol, operator|
      define_method(symbol) { |other| Isthmus.call(operator, [self, other], {}) }
    end

    def method_missing(name, *args, **keywords)
      return super unless Isthmus.op?(name.to_s)

      Isthmus.call(name.to_s, [self, *args], keywords)
    end

    def respond_to_missing?(name, all = false)
      Isthmus.op?(name.to_s) || super
    end

    private

    def integers(offset)
      ndim, = read(16, 4).unpack("l")
      address, = read(offset, 8).unpack("Q")
      ndim.zero? ? [] : Fiddle::Pointer.new(address)[0, 8 * ndim].unpack("q*")
    end

    def level(format, size, address, dimensions)
      return Fiddle::Pointer.new(address)[0, size].unpack1(format) if dimensions.empty?

      (extent, step), *inner = dimensions
      (0...extent).map { |i| level(format, size, address + i * step * size, inner) }
    end
  end

  # A Ruby number on the left of an array.
  Scalar = Struct.new(:value) do
    OPERATORS.each do |symbol, operator|
      define_method(symbol) { |other| Isthmus.call(operator, [value, other], {}) }
    end
  end

  # Operators whose names begin with a prefix, as methods.
  class Namespace
    def initialize(prefix)
      @prefix = prefix
    end

    def method_missing(name, *args, **keywords)
      full = @prefix + name.to_s
      return Isthmus.call(full, args, keywords) if Isthmus.op?(full)
      if Isthmus.global("isthmus.list_ops").any? { |op| op.start_with?("#{full}.") }
        return Namespace.new("#{full}.")
      end

      raise Error.new("AttributeError", "no operator named #{full}")
    end

    def respond_to_missing?(_name, _all = false)
      true
    end
  end

  module_function

  # The table of operators of a libisthmus.
  def load(path)
    @library = Fiddle.dlopen(path)
    raise_error if api(:IsthmusInit, result: Fiddle::TYPE_VOIDP).call(0).null?
    Namespace.new("")
  end

  # A function of the C API. Those of libtvm_ffi are found through libisthmus, which is linked to it.
  def api(name, result: Fiddle::TYPE_INT)
    @api ||= {}
    @api[name] ||= Fiddle::Function.new(@library[name.to_s], SIGNATURES.fetch(name), result)
  end

  P = Fiddle::TYPE_VOIDP
  I = Fiddle::TYPE_INT
  SIGNATURES = {
    IsthmusInit: [I], TVMFFIObjectDecRef: [P], TVMFFIFunctionGetGlobal: [P, P],
    TVMFFIFunctionCall: [P, P, I, P], TVMFFIFunctionCreate: [P, P, P, P],
    TVMFFIAnyViewToOwnedAny: [P, P], TVMFFIStringFromByteArray: [P, P],
    TVMFFIErrorMoveFromRaised: [P], TVMFFIErrorSetRaisedFromCStr: [P, P]
  }.freeze

  def raise_error
    out = [0].pack("Q")
    api(:TVMFFIErrorMoveFromRaised, result: Fiddle::TYPE_VOID).call(out)
    error = Handle.new(out.unpack1("Q"), 67)
    kind, message = error.read(0, 16), error.read(16, 16)
    raise Error.new(bytes(*kind.unpack("QQ")), bytes(*message.unpack("QQ")))
  end

  def bytes(address, size)
    size.zero? ? +"" : Fiddle::Pointer.new(address)[0, size].force_encoding("UTF-8")
  end

  # Calls a function object; the result is the 16 bytes of an owned Any.
  def call_object(address, args)
    keep = []
    anys = args.map { |arg| to_any(arg, keep) }.join
    anys = "\0".b * ANY if anys.empty?
    result = "\0".b * ANY
    raise_error unless api(:TVMFFIFunctionCall).call(address, anys, args.size, result).zero?
    keep.clear # what was passed lived until here
    result
  end

  # Calls a function of the registry by name.
  def global(name, *args)
    from_any(global_raw(name, args))
  end

  def global_raw(name, args)
    @globals ||= {}
    function = @globals[name] ||= begin
      out = [0].pack("Q")
      key = [Fiddle::Pointer[name].to_i, name.bytesize].pack("QQ")
      raise_error unless api(:TVMFFIFunctionGetGlobal).call(key, out).zero?
      raise Error.new("ValueError", "no function named #{name} in the registry") if out.unpack1("Q").zero?

      Handle.new(out.unpack1("Q"), FUNCTION)
    end
    call_object(function.address, args)
  end

  # Calls an operator.
  def call(name, args, keywords)
    global("isthmus.call", name, args.size, *args, *keywords.flat_map { |key, value| [key.to_s, value] })
  end

  def op?(name)
    global("isthmus.op_signature", name)
    true
  rescue Error
    false
  end

  # The parameters of an operator, each as a hash.
  def parameters(name)
    keys = %i[name type kind required default]
    global("isthmus.op_parameters", name).map { |row| keys.zip(row).to_h }
  end

  # An array over the bytes of a Fiddle::Pointer, which stays alive as long as the array.
  def from_memory(pointer, shape, dtype)
    global("isthmus.from_pointer", pointer.to_i, shape, dtype, nil, proc { pointer })
  end

  # The 16 bytes of an Any that borrows; `keep` holds what must live as long as the call.
  def to_any(value, keep)
    case value
    when nil then [NONE, 0, 0].pack("lLq")
    when true, false then [BOOL, 0, value ? 1 : 0].pack("lLq")
    when Integer
      raise Error.new("OverflowError", "#{value} does not fit into 64 bits") unless value.bit_length < 64

      [INT, 0, value].pack("lLq")
    when Float then [FLOAT, 0, value].pack("lLd")
    when String, Symbol
      text, any = value.to_s, "\0".b * ANY
      input = [Fiddle::Pointer[text].to_i, text.bytesize].pack("QQ")
      raise_error unless api(:TVMFFIStringFromByteArray).call(input, any).zero?
      keep << handle(any) if any.unpack1("l") >= OBJECTS
      any
    when Handle
      keep << value
      [value.type_index, 0, value.address].pack("lLQ")
    when Fiddle::Pointer then [POINTER, 0, value.to_i].pack("lLQ")
    when Scalar then to_any(value.value, keep)
    when ::Array
      any = global_raw("ffi.Array", value)
      keep << handle(any)
      any
    when Proc, Method then to_any(make_function(value), keep)
    else raise Error.new("TypeError", "a #{value.class} cannot be passed to Isthmus")
    end
  end

  # Takes over the reference of an owned Any that holds an object.
  def handle(any)
    type_index, _, address = any.unpack("lLQ")
    { TENSOR => Array, FUNCTION => Function }.fetch(type_index, Handle).new(address, type_index)
  end

  # The Ruby value of an owned Any.
  def from_any(any)
    type_index, length, value = any.unpack("lLq")
    case type_index
    when NONE then nil
    when INT then value
    when BOOL then value != 0
    when FLOAT then any[8, 8].unpack1("d")
    when POINTER then Fiddle::Pointer.new(value)
    when SMALL_STR then any[8, length].force_encoding("UTF-8")
    else object(handle(any))
    end
  end

  def object(handle)
    case handle.type_index
    when STR then bytes(*handle.read(0, 16).unpack("QQ"))
    when SHAPE
      address, size = handle.read(0, 16).unpack("QQ")
      size.zero? ? [] : Fiddle::Pointer.new(address)[0, 8 * size].unpack("q*")
    when ARRAY, LIST then sequence(*handle.read(0, 16).unpack("QQ"))
    when MAP then Hash[*global("isthmus.map_items", handle)]
    else handle
    end
  end

  # The values of Anys that somebody else owns.
  def sequence(address, size)
    (0...size).map do |i|
      owned = "\0".b * ANY
      raise_error unless api(:TVMFFIAnyViewToOwnedAny).call(address + ANY * i, owned).zero?
      from_any(owned)
    end
  end

  # Procs that the FFI holds, by the number that stands for each; two C callbacks serve them all.
  def make_function(callable)
    @functions ||= {}
    @last = (@last || 0) + 1
    @functions[@last] = callable
    out = [0].pack("Q")
    code = api(:TVMFFIFunctionCreate).call(@last, invoke, forget, out)
    raise_error unless code.zero?
    Function.new(out.unpack1("Q"), FUNCTION)
  end

  def invoke
    @invoke ||= Fiddle::Closure::BlockCaller.new(I, [P, P, I, P]) do |self_, args, n, result|
      value = @functions.fetch(self_.to_i).call(*sequence(args.to_i, n))
      keep = []
      raise_error unless api(:TVMFFIAnyViewToOwnedAny).call(to_any(value, keep), result).zero?
      keep.clear
      0
    rescue StandardError => e # an exception must not cross the frames of C
      kind = e.is_a?(Error) ? e.kind : "RuntimeError"
      api(:TVMFFIErrorSetRaisedFromCStr, result: Fiddle::TYPE_VOID).call(kind, e.message)
      -1
    end
  end

  def forget
    @forget ||= Fiddle::Closure::BlockCaller.new(Fiddle::TYPE_VOID, [P]) do |self_|
      @functions.delete(self_.to_i)
      nil
    end
  end
end
