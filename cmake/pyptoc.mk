# A rule for GNU make that compiles programs: include $(shell pyptoc --print-make-include)
#
# `$(PYPTOC_OUT)/NAME.stamp` stands for NAME.json, NAME.msgpack or NAME.py in $(PYPTOC_SOURCE), compiled into the folder
# $(PYPTOC_OUT)/NAME. It is made again when the program, an external kernel source, a template in a folder of
# --template-dir, or pyptoc itself changes. Generated files whose bytes stay keep their times. What is made from one of
# them names it and says where it comes from with an empty recipe:
#
#   $(PYPTOC_OUT)/NAME/kernel_config.py: $(PYPTOC_OUT)/NAME.stamp ;
#
# which is here already for the files at the top of an output folder. Set these before the include:
PYPTOC ?= pyptoc
PYPTOC_FLAGS ?=
PYPTOC_SOURCE ?= .
PYPTOC_OUT ?= pyptoc-out

pyptoc_program := $(shell command -v $(PYPTOC) 2>/dev/null)
define pyptoc_build
@mkdir -p $(@D)
$(PYPTOC) build $< -o $(@:.stamp=) $(PYPTOC_FLAGS) --depfile $@.d --depfile-target $@
@touch $@
endef

$(PYPTOC_OUT)/%.stamp: $(PYPTOC_SOURCE)/%.json $(pyptoc_program)
	$(pyptoc_build)
$(PYPTOC_OUT)/%.stamp: $(PYPTOC_SOURCE)/%.msgpack $(pyptoc_program)
	$(pyptoc_build)
$(PYPTOC_OUT)/%.stamp: $(PYPTOC_SOURCE)/%.py $(pyptoc_program)
	$(pyptoc_build)

$(PYPTOC_OUT)/%/manifest.json: $(PYPTOC_OUT)/%.stamp ;
$(PYPTOC_OUT)/%/kernel_config.py: $(PYPTOC_OUT)/%.stamp ;
$(PYPTOC_OUT)/%/compiled_meta.json: $(PYPTOC_OUT)/%.stamp ;
$(PYPTOC_OUT)/%/distributed_meta.json: $(PYPTOC_OUT)/%.stamp ;

.PRECIOUS: $(PYPTOC_OUT)/%.stamp $(PYPTOC_OUT)/%/manifest.json $(PYPTOC_OUT)/%/kernel_config.py \
  $(PYPTOC_OUT)/%/compiled_meta.json $(PYPTOC_OUT)/%/distributed_meta.json
-include $(wildcard $(PYPTOC_OUT)/*.stamp.d)
